import type { ModelCallError } from './model-call-error.ts';
import type { ModelOperation } from './operation.ts';

/** An operation at a provider. Its requests are those that the operation of the client has read. */
export interface BackendOperation extends Omit<ModelOperation, 'readRequest'> {
  /** Undefined where client and provider have the same format, whose bytes pass unchanged. */
  readonly translation?: AnswerTranslation;
}

/** How answers of a provider become answers in the format of the client. */
export interface AnswerTranslation {
  /** The content type of an answer; the reader of the operation returns its bytes. */
  readonly contentType: string;
  /** The headers that the provider requires and the client does not send. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Translates the whole error of a provider. @param status from 400 */
  translateError(status: number, body: Uint8Array): ModelCallError;
}

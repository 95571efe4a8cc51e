import type { ErrorResponse } from './error-response.ts';
import type { ModelRequest } from './model-request.ts';
import type { ModelOperation, WireFormat } from './operation.ts';

/** An operation at a provider. Its requests are those that the operation of the client has read. */
export interface BackendOperation extends Omit<ModelOperation, 'readRequest'> {
  /** Undefined where client and provider have the same format, whose bytes pass unchanged. */
  readonly translation?: AnswerTranslation;
}

/** How answers of a provider become answers in the format of the client. */
export interface AnswerTranslation {
  /** The content type of an answer; the reader of the operation returns its bytes. */
  getContentType(request: ModelRequest): string;
  /** Translates the whole error of a provider. @param status from 400 */
  translateError(status: number, body: Uint8Array): ErrorResponse;
}

/**
 * Finds the operation at a provider that serves an operation of a client.
 * @returns undefined if the format of the provider has none
 */
export const findBackendOperation = (operation: ModelOperation, format: WireFormat): BackendOperation | undefined =>
  operation.format === format ? operation : undefined;

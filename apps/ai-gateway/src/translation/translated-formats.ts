import type { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject, ModelRequest, ReceivedRequest } from '../formats/model-request.ts';
import type { ModelOperation, WireFormat } from '../formats/operation.ts';
import type { EventHandler } from '../formats/readers/event-stream-reader.ts';
import type { AnswerReader } from './chat/answer-reader.ts';
import type { AnswerDocumentWriter, AnswerStreamWriter } from './chat/answer-writer.ts';
import type { ChatRequest } from './chat/chat-request.ts';

/** A format of clients whose chats can be translated. */
export interface ClientFormat {
  /** @param target the format of the provider @throws ModelCallError */
  readChat(request: ModelRequest, target: WireFormat): ChatRequest;
  createAnswers(request: ModelRequest, chat: ChatRequest): ClientAnswers;
}

/** How answers to one request are written for its client. */
export interface ClientAnswers {
  /** The content type of an answer. */
  readonly contentType: string;
  /** Bytes that a stream can have at any time without an effect; empty if the format has none. */
  readonly keepAlive: string;
  createStreamWriter(): AnswerStreamWriter;
  readonly writeDocument: AnswerDocumentWriter;
  /** Writes the event that ends a stream with an error. */
  writeStreamError(error: ModelCallError): string;
}

/** A format of providers that chats can be translated into. */
export interface ProviderFormat extends ProviderAnswers {
  /** The headers that the provider requires. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** @param model as in the list of prices @throws ModelCallError `untranslatable` */
  createRequest(chat: ChatRequest, model: string): ProviderRequest;
}

/** How the answers of a provider are read. */
export interface ProviderAnswers {
  readonly format: WireFormat;
  createReader(): AnswerReader;
  /** Creates the handler that meters a stream. @param answers that were requested */
  createMetering(answers: number): EventHandler;
  /**
   * Reads an error of the provider.
   * @param status undefined for one within a stream
   * @param body undefined if it is no JSON object
   */
  readError(status: number | undefined, body: JsonObject | undefined): ModelCallError;
}

/** A translated request and its operation at the provider. */
export interface ProviderRequest {
  readonly operation: ModelOperation;
  readonly received: ReceivedRequest;
}

import type { JsonObject } from '../../formats/model-request.ts';
import type { AnswerEvent } from './answer-events.ts';

/** Reads one response of a provider. Both methods keep a bounded state only. */
export interface AnswerReader {
  /**
   * Reads the data of one event of a stream.
   * @throws ModelCallError `provider_error` for an answer that cannot be translated
   */
  readEvent(data: JsonObject): Iterable<AnswerEvent>;
  /** Reads a response that is not a stream. @throws ModelCallError `provider_error` */
  readDocument(document: JsonObject): Iterable<AnswerEvent>;
}

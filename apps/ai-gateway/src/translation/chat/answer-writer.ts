import type { JsonObject } from '../../formats/model-request.ts';
import type { AnswerEvent } from './answer-events.ts';
import type { AnswerUsage } from './answer-usage.ts';
import type { CollectedChoice } from './collected-answer.ts';

/** The metadata of a response. */
export interface AnswerFacts {
  readonly id: string;
  /** The model that has answered. */
  readonly model: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Undefined if the provider is silent about it. */
  readonly usage: AnswerUsage | undefined;
}

/** Writes the stream of one answer for a client. */
export interface AnswerStreamWriter {
  /** @param facts so far @returns the text for the client; it can be empty */
  write(event: AnswerEvent, facts: AnswerFacts): string;
  /** Writes the end of a complete answer. */
  end(facts: AnswerFacts): string;
}

/** Writes a whole answer. @throws ModelCallError `provider_error` for one that the format lacks */
export type AnswerDocumentWriter = (choices: readonly CollectedChoice[], facts: AnswerFacts) => JsonObject;

import { ModelCallError } from '../../formats/model-call-error.ts';
import type { JsonObject } from '../../formats/model-request.ts';
import { isJsonObject } from '../../formats/readers/response-facts.ts';
import { listObjects } from '../../formats/request-fields.ts';
import type { AnswerEvent } from '../chat/answer-events.ts';
import type { AnswerReader } from '../chat/answer-reader.ts';

const BLOCKED: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
]);

/** Reads answers of `generateContent` and the chunks of its streams. */
export class ContentAnswerReader implements AnswerReader {
  private readonly calls = new Map<number, number>();

  *readEvent(chunk: JsonObject): Iterable<AnswerEvent> {
    const { candidates, promptFeedback, responseId } = chunk;
    for (const candidate of listObjects(candidates)) yield* this.readCandidate(candidate, responseId);
    if (isJsonObject(promptFeedback) && typeof promptFeedback['blockReason'] === 'string')
      yield { kind: 'finish', choice: 0, reason: 'content_filter' };
  }

  readDocument(document: JsonObject): Iterable<AnswerEvent> {
    return this.readEvent(document);
  }

  private *readCandidate(candidate: JsonObject, responseId: unknown): Iterable<AnswerEvent> {
    const { index, content, finishReason } = candidate;
    const choice = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < 128 ? index : 0;
    if (isJsonObject(content))
      for (const part of listObjects(content['parts'])) yield* this.readPart(choice, part, responseId);
    if (typeof finishReason === 'string') yield this.readEnd(choice, finishReason);
  }

  private *readPart(choice: number, part: JsonObject, responseId: unknown): Iterable<AnswerEvent> {
    const { text, thought, functionCall } = part;
    if (isJsonObject(functionCall)) yield* this.readCall(choice, functionCall, part['thoughtSignature'], responseId);
    else if (typeof text === 'string') {
      if (text !== '') yield { kind: thought === true ? 'thought' : 'text', choice, text };
    } else if (part['inlineData'] !== undefined)
      throw new ModelCallError('provider_error', 'The model answered with an image or audio, which is not translated.');
  }

  /** A call without an id gets one that is the same wherever the answer is read. */
  private *readCall(
    choice: number,
    { id, name, args }: JsonObject,
    signature: unknown,
    responseId: unknown,
  ): Iterable<AnswerEvent> {
    const count = (this.calls.get(choice) ?? 0) + 1;
    this.calls.set(choice, count);
    const made = `call_${String(responseId)
      .replace(/[^\w-]/g, '')
      .slice(0, 24)}_${choice}_${count}`;
    yield {
      kind: 'tool_call',
      choice,
      id: typeof id === 'string' && id !== '' ? id : made,
      name: String(name),
      signature: typeof signature === 'string' ? signature : undefined,
    };
    yield { kind: 'arguments', choice, text: JSON.stringify(args ?? {}) };
  }

  private readEnd(choice: number, reason: string): AnswerEvent {
    if (reason === 'STOP') return { kind: 'finish', choice, reason: this.calls.has(choice) ? 'tool_calls' : 'stop' };
    if (reason === 'MAX_TOKENS') return { kind: 'finish', choice, reason: 'length' };
    if (BLOCKED.has(reason)) return { kind: 'finish', choice, reason: 'content_filter' };
    throw new ModelCallError('provider_error', `The model ended its answer with ${reason.slice(0, 64)}.`);
  }
}

import { ModelCallError } from '../../formats/model-call-error.ts';
import type { JsonObject } from '../../formats/model-request.ts';
import { isJsonObject } from '../../formats/readers/response-facts.ts';
import { listObjects } from '../../formats/request-fields.ts';
import type { AnswerEvent, FinishReason } from '../chat/answer-events.ts';
import type { AnswerReader } from '../chat/answer-reader.ts';

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

/** The call of a choice whose arguments arrive. */
interface OpenCall {
  readonly index: unknown;
  readonly id: unknown;
  readonly count: number;
}

/** Reads chat completions and their chunks, also those of compatible servers. */
export class ChatAnswerReader implements AnswerReader {
  private readonly calls = new Map<number, OpenCall>();

  *readEvent(chunk: JsonObject): Iterable<AnswerEvent> {
    for (const choice of listObjects(chunk['choices'])) yield* this.readChoice(choice, choice['delta']);
  }

  *readDocument(completion: JsonObject): Iterable<AnswerEvent> {
    for (const choice of listObjects(completion['choices'])) yield* this.readChoice(choice, choice['message']);
  }

  private *readChoice(choice: JsonObject, message: unknown): Iterable<AnswerEvent> {
    const { index, finish_reason: reason } = choice;
    const at = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < 128 ? index : 0;
    if (isJsonObject(message)) {
      yield* createText('text', at, message['content']);
      yield* createText('refusal', at, message['refusal']);
      for (const call of listObjects(message['tool_calls'])) yield* this.readCall(at, call);
    }
    if (typeof reason === 'string') yield { kind: 'finish', choice: at, reason: REASONS[reason] ?? 'stop' };
  }

  /** Some servers repeat the id of a call in each part, or send all calls with the index 0. */
  private *readCall(choice: number, { index, id, function: called }: JsonObject): Iterable<AnswerEvent> {
    const { name, arguments: text } = isJsonObject(called) ? called : {};
    const open = this.calls.get(choice);
    const isSame = open !== undefined && (index === undefined || index === open.index);
    if (!isSame || (hasText(id) && id !== open.id)) {
      if (!hasText(name))
        throw new ModelCallError('provider_error', 'The provider sent parts of several calls of tools in turns.');
      const count = (open?.count ?? 0) + 1;
      this.calls.set(choice, { index, id, count });
      yield { kind: 'tool_call', choice, id: hasText(id) ? id : `call_${choice}_${count}`, name };
    }
    if (hasText(text)) yield { kind: 'arguments', choice, text };
  }
}

const hasText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function* createText(kind: 'text' | 'refusal', choice: number, text: unknown): Iterable<AnswerEvent> {
  if (hasText(text)) yield { kind, choice, text };
}

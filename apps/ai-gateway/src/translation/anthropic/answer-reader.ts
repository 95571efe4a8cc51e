import type { JsonObject } from '../../formats/model-request.ts';
import { isJsonObject } from '../../formats/readers/response-facts.ts';
import { listObjects } from '../../formats/request-fields.ts';
import type { AnswerEvent, FinishReason } from '../chat/answer-events.ts';
import type { AnswerReader } from '../chat/answer-reader.ts';

const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Reads answers of the Messages API: blocks of text, thinking and calls of tools. */
export class MessageAnswerReader implements AnswerReader {
  /** Whether the present block of a stream is a call that has had no arguments yet. */
  private lacksArguments = false;

  *readEvent(event: JsonObject): Iterable<AnswerEvent> {
    const { type, content_block: block, delta } = event;
    if (type === 'content_block_start' && isJsonObject(block)) {
      this.lacksArguments = block['type'] === 'tool_use';
      yield* readBlock(block);
    } else if (type === 'content_block_delta' && isJsonObject(delta)) yield* this.readDelta(delta);
    else if (type === 'content_block_stop') {
      // A call without arguments has no deltas, or an empty one.
      if (this.lacksArguments) yield { kind: 'arguments', choice: 0, text: '{}' };
      this.lacksArguments = false;
    } else if (type === 'message_delta' && isJsonObject(delta)) yield* readEnd(delta);
  }

  *readDocument(message: JsonObject): Iterable<AnswerEvent> {
    for (const block of listObjects(message['content'])) {
      yield* readBlock(block);
      if (block['type'] === 'tool_use')
        yield { kind: 'arguments', choice: 0, text: JSON.stringify(block['input'] ?? {}) };
    }
    yield* readEnd(message);
  }

  private *readDelta({ type, text, thinking, partial_json: json }: JsonObject): Iterable<AnswerEvent> {
    if (type === 'text_delta') yield* createText('text', text);
    else if (type === 'thinking_delta') yield* createText('thought', thinking);
    else if (type === 'input_json_delta' && typeof json === 'string' && json !== '') {
      this.lacksArguments = false;
      yield { kind: 'arguments', choice: 0, text: json };
    }
  }
}

/** Blocks of server tools cannot occur: requests with these tools are refused. */
function* readBlock({ type, text, thinking, id, name }: JsonObject): Iterable<AnswerEvent> {
  if (type === 'text') yield* createText('text', text);
  else if (type === 'thinking') yield* createText('thought', thinking);
  else if (type === 'tool_use') yield { kind: 'tool_call', choice: 0, id: String(id), name: String(name) };
}

function* createText(kind: 'text' | 'thought', text: unknown): Iterable<AnswerEvent> {
  if (typeof text === 'string' && text !== '') yield { kind, choice: 0, text };
}

function* readEnd({ stop_reason: reason, stop_sequence: sequence }: JsonObject): Iterable<AnswerEvent> {
  if (typeof reason !== 'string') return;
  const stopSequence = typeof sequence === 'string' ? sequence : undefined;
  yield { kind: 'finish', choice: 0, reason: REASONS[reason] ?? 'stop', stopSequence };
}

import type { JsonObject } from '../../formats/model-request.ts';
import type { AnswerEvent } from '../chat/answer-events.ts';
import type { AnswerFacts, AnswerStreamWriter } from '../chat/answer-writer.ts';
import { createChatMembers, writeChatUsage, writeSignature } from './answer-writer.ts';

/** The state of one choice: the number of its calls so far. */
interface OpenChoice {
  calls: number;
}

/** Writes the chunks of a chat completion. */
export class ChatStreamWriter implements AnswerStreamWriter {
  private readonly choices = new Map<number, OpenChoice>();
  /** Written after all other chunks, as the vendor does. */
  private readonly finishes: string[] = [];

  /** @param includesUsage whether the client has asked for a chunk with the usage */
  constructor(private readonly includesUsage: boolean) {}

  write(event: AnswerEvent, facts: AnswerFacts): string {
    if (event.kind === 'thought') return '';
    const known = this.choices.get(event.choice);
    const choice = known ?? { calls: 0 };
    const first = known === undefined ? { role: 'assistant', content: '', refusal: null } : undefined;
    this.choices.set(event.choice, choice);
    const start = first === undefined ? '' : this.writeChunk(event.choice, first, null, facts);
    if (event.kind !== 'finish') return start + this.writeChunk(event.choice, createDelta(event, choice), null, facts);
    this.finishes.push(this.writeChunk(event.choice, {}, event.reason, facts));
    return start;
  }

  end(facts: AnswerFacts): string {
    const usage =
      facts.usage && this.includesUsage
        ? writeEvent({ ...createChatMembers(facts, OBJECT), choices: [], usage: writeChatUsage(facts.usage) })
        : '';
    return `${this.finishes.join('')}${usage}data: [DONE]\n\n`;
  }

  private writeChunk(index: number, delta: JsonObject, reason: string | null, facts: AnswerFacts): string {
    const choices = [{ index, delta, logprobs: null, finish_reason: reason }];
    return writeEvent({ ...createChatMembers(facts, OBJECT), choices, ...(this.includesUsage && { usage: null }) });
  }
}

const OBJECT = 'chat.completion.chunk';

const writeEvent = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`;

function createDelta(event: Exclude<AnswerEvent, { kind: 'finish' | 'thought' }>, choice: OpenChoice): JsonObject {
  switch (event.kind) {
    case 'tool_call': {
      const index = choice.calls;
      choice.calls += 1;
      const { id, name, signature } = event;
      const called = { index, id, type: 'function', function: { name, arguments: '' } };
      return { tool_calls: [{ ...called, ...writeSignature(signature) }] };
    }
    case 'arguments':
      return { tool_calls: [{ index: choice.calls - 1, function: { arguments: event.text } }] };
    case 'refusal':
      return { refusal: event.text };
    default:
      return { content: event.text };
  }
}

import type { JsonObject } from '../../formats/model-request.ts';
import type { AnswerEvent } from '../chat/answer-events.ts';
import type { AnswerFacts, AnswerStreamWriter } from '../chat/answer-writer.ts';
import { createMessageMembers, createStop, writeMessageUsage } from './answer-writer.ts';

type Finish = Extract<AnswerEvent, { kind: 'finish' }>;

/** Writes the events of a message: one block after the other. */
export class MessageStreamWriter implements AnswerStreamWriter {
  private hasBegun = false;
  private blocks = 0;
  private open: 'text' | 'tool_use' | undefined;
  private finish: Finish | undefined;

  write(event: AnswerEvent, facts: AnswerFacts): string {
    const start = this.begin(facts);
    switch (event.kind) {
      case 'thought':
        return start;
      case 'finish':
        this.finish = event;
        return start;
      case 'tool_call':
        return start + this.openBlock('tool_use', { type: 'tool_use', id: event.id, name: event.name, input: {} });
      case 'arguments':
        return start + this.writeDelta({ type: 'input_json_delta', partial_json: event.text });
      default: {
        const block = this.open === 'text' ? '' : this.openBlock('text', { type: 'text', text: '', citations: null });
        return start + block + this.writeDelta({ type: 'text_delta', text: event.text });
      }
    }
  }

  end(facts: AnswerFacts): string {
    const start = this.begin(facts);
    const delta = createStop(this.finish?.reason, this.finish?.stopSequence);
    return (
      start +
      this.closeBlock() +
      writeEvent('message_delta', { delta, usage: writeMessageUsage(facts.usage) }) +
      writeEvent('message_stop', {})
    );
  }

  private begin(facts: AnswerFacts): string {
    if (this.hasBegun) return '';
    this.hasBegun = true;
    const usage = { ...writeMessageUsage(facts.usage), output_tokens: 0 };
    const stop = { stop_reason: null, stop_sequence: null };
    return writeEvent('message_start', { message: { ...createMessageMembers(facts), content: [], ...stop, usage } });
  }

  private openBlock(kind: 'text' | 'tool_use', block: JsonObject): string {
    const closed = this.closeBlock();
    this.open = kind;
    return closed + writeEvent('content_block_start', { index: this.blocks, content_block: block });
  }

  private closeBlock(): string {
    if (this.open === undefined) return '';
    this.open = undefined;
    this.blocks += 1;
    return writeEvent('content_block_stop', { index: this.blocks - 1 });
  }

  private writeDelta(delta: JsonObject): string {
    return writeEvent('content_block_delta', { index: this.blocks, delta });
  }
}

const writeEvent = (type: string, members: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

import type { JsonObject } from '../../formats/model-request.ts';
import type { AnswerEvent, FinishReason } from '../chat/answer-events.ts';
import type { AnswerFacts, AnswerStreamWriter } from '../chat/answer-writer.ts';
import type { CollectedCall } from '../chat/collected-answer.ts';
import { writeNames, writePart, writeReason, writeUsage } from './answer-writer.ts';

/** The state of one candidate. */
interface OpenCandidate {
  /** Its arguments are not complete yet; the format has whole calls only. */
  call: CollectedCall | undefined;
  reason: FinishReason | undefined;
}

/** Writes the chunks of `streamGenerateContent`, as events or as the items of an array. */
export class ContentStreamWriter implements AnswerStreamWriter {
  private readonly candidates = new Map<number, OpenCandidate>();
  private hasBegun = false;

  constructor(
    private readonly form: 'json' | 'sse',
    private readonly showsThoughts: boolean,
  ) {}

  write(event: AnswerEvent, facts: AnswerFacts): string {
    const candidate = this.candidates.get(event.choice) ?? { call: undefined, reason: undefined };
    this.candidates.set(event.choice, candidate);
    switch (event.kind) {
      case 'arguments':
        if (candidate.call !== undefined) candidate.call.arguments += event.text;
        return '';
      case 'finish':
        candidate.reason = event.reason;
        return '';
      case 'tool_call': {
        const written = this.writeCall(event.choice, candidate, facts);
        const { id, name, signature } = event;
        candidate.call = { kind: 'tool_call', id, name, arguments: '', signature };
        return written;
      }
      default:
        return (
          this.writeCall(event.choice, candidate, facts) +
          this.writeParts(event.choice, writePart(event, undefined, this.showsThoughts), facts)
        );
    }
  }

  end(facts: AnswerFacts): string {
    let text = '';
    for (const [index, candidate] of this.candidates) text += this.writeCall(index, candidate, facts);
    const candidates = [...this.candidates].map(([index, { reason = 'stop' }]) => ({
      content: { parts: [{ text: '' }], role: 'model' },
      finishReason: writeReason(reason),
      index,
    }));
    return `${text}${this.writeChunk({ candidates, ...writeUsage(facts), ...writeNames(facts) })}${this.form === 'json' ? '\n]' : ''}`;
  }

  /** Writes the call whose arguments are complete. */
  private writeCall(index: number, candidate: OpenCandidate, facts: AnswerFacts): string {
    const { call, reason } = candidate;
    if (call === undefined) return '';
    candidate.call = undefined;
    return this.writeParts(index, writePart(call, reason, false), facts);
  }

  private writeParts(index: number, parts: readonly JsonObject[], facts: AnswerFacts): string {
    if (parts.length === 0) return '';
    return this.writeChunk({ candidates: [{ content: { parts, role: 'model' }, index }], ...writeNames(facts) });
  }

  private writeChunk(chunk: JsonObject): string {
    const text = JSON.stringify(chunk);
    if (this.form === 'sse') return `data: ${text}\r\n\r\n`;
    const before = this.hasBegun ? ',\r\n' : '[';
    this.hasBegun = true;
    return before + text;
  }
}

import type { JsonObject } from '../model-request.ts';
import { KeyFinder, countStringBytes } from '../readers/key-finder.ts';

/** The texts of a delta. A delta has one of them. */
const TEXTS = new KeyFinder(['text', 'thinking', 'partial_json', 'signature']);

/** The members of a block, and of a delta, with generated text. */
type Text = 'text' | 'thinking' | 'partial_json' | 'signature';

/**
 * Counts the bytes of generated text. A signature counts in a block of hidden thinking only: it
 * stands for the thinking that is billed and not shown.
 */
export class MessageBlocks {
  bytes = 0;
  private showsThinking = false;

  /** Takes a block of a message, or the start of one in a stream. */
  takeBlock({ text, thinking, signature, data, name, input }: JsonObject): void {
    this.showsThinking = false;
    this.add('thinking', measure(thinking));
    this.add('signature', measure(signature));
    this.bytes += measure(text) + measure(data) + measure(name);
    if (input !== undefined) this.bytes += Buffer.byteLength(JSON.stringify(input));
  }

  /** Takes the bytes of a `content_block_delta`. Its text counts as it is written in JSON. */
  takeDelta(event: Uint8Array): void {
    TEXTS.visit(event, ({ name, valueStart }) => this.add(name, countStringBytes(event, valueStart).bytes));
  }

  private add(name: Text, bytes: number): void {
    if (name === 'thinking' && bytes > 0) this.showsThinking = true;
    if (name !== 'signature' || !this.showsThinking) this.bytes += bytes;
  }
}

const measure = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

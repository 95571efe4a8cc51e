import { ByteCollector } from './bytes.ts';
import { LineEndFinder } from './line-ends.ts';
import { ResponseLimitError } from './response-limits.ts';

const [LF, CR] = [0x0a, 0x0d];

/** Can precede the first field of a stream. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const COLON = 0x3a;

/** Only blocks with one of these fields affect a client (WHATWG HTML, 9.2.6). */
const EFFECTIVE_FIELDS = new Set(['data', 'id', 'retry']);
const MAX_NAME_BYTES = 5;

/** Maximum bytes between two events with data: 45 days with a short comment each minute. */
export const MAX_QUIET_BYTES = 1024 * 1024;

/**
 * Splits the bytes of an event stream into events. Line ends are \n, \r and \r\n; chunks can end
 * anywhere. Blank lines and blocks without effect, for example comments, are dropped, unless all
 * blocks are kept: the pieces and the rest are then the whole stream.
 */
export class EventSplitter {
  /** The event so far. */
  private readonly bytes = new ByteCollector();
  private isLineEmpty = true;
  private afterCarriageReturn = false;
  /** The name of the field of this line so far, undefined after the name. */
  private name: string | undefined = '';
  private hasEffect = false;
  private hasData = false;
  private quietBytes = 0;

  /** @param maxBytes maximum size of one event */
  constructor(
    private readonly maxBytes: number,
    private readonly blocks: 'effective' | 'all' = 'effective',
  ) {}

  /** Whether the stream ends in the middle of a block so far. */
  get hasRest(): boolean {
    return this.bytes.length > 0;
  }

  /** Takes the bytes of the block that has not ended. The stream must not continue. */
  takeRest(): Uint8Array {
    return this.bytes.take();
  }

  /**
   * @returns the events that this chunk completes, each with its line ends
   * @throws ResponseLimitError for an event that is too large, or too many bytes without data
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const events: Uint8Array[] = [];
    let start = 0;
    const lineEnd = new LineEndFinder(chunk);
    for (let at = 0; at < chunk.length; at += 1) {
      // After the name of a field only a line end is relevant.
      if (this.name === undefined && !this.isLineEmpty && !this.afterCarriageReturn) at = lineEnd.findFrom(at);
      if (at === chunk.length) break;
      const byte = chunk[at] as number;
      const isSecondOfPair = byte === LF && this.afterCarriageReturn;
      this.afterCarriageReturn = byte === CR;
      if (isSecondOfPair) {
        // The block has ended with the previous chunk.
        if (at === 0 && !this.hasRest) {
          if (this.blocks === 'all') events.push(chunk.subarray(0, 1));
          start = 1;
        }
        continue;
      }
      if (byte !== LF && byte !== CR) {
        this.isLineEmpty = false;
        if (this.name !== undefined) this.addToName(this.name, byte);
        continue;
      }
      if (this.isLineEmpty) {
        if (byte === CR && chunk[at + 1] === LF) {
          this.afterCarriageReturn = false;
          at += 1;
        }
        const event = this.endBlock(chunk.subarray(start, at + 1));
        if (event !== undefined) events.push(event);
        start = at + 1;
      } else this.endName();
      this.isLineEmpty = true;
      this.name = '';
    }
    this.add(chunk.subarray(start));
    return events;
  }

  private addToName(name: string, byte: number): void {
    if (byte === COLON) this.endName();
    else if (BYTE_ORDER_MARK.includes(byte)) return;
    else if (name.length === MAX_NAME_BYTES) this.name = undefined;
    else this.name = name + String.fromCharCode(byte);
  }

  private endName(): void {
    if (this.name === undefined) return;
    if (EFFECTIVE_FIELDS.has(this.name)) this.hasEffect = true;
    if (this.name === 'data') this.hasData = true;
    this.name = undefined;
  }

  /** @returns the event, or undefined for a block without effect */
  private endBlock(piece: Uint8Array): Uint8Array | undefined {
    const { hasEffect, hasData } = this;
    this.quietBytes = hasData ? 0 : this.quietBytes + this.bytes.length + piece.length;
    if (this.quietBytes > MAX_QUIET_BYTES)
      throw new ResponseLimitError(`more than ${MAX_QUIET_BYTES} bytes without data`);
    this.hasEffect = this.hasData = false;
    if (hasEffect || this.blocks === 'all') {
      this.add(piece);
      return this.bytes.take();
    }
    this.bytes.take();
    return undefined;
  }

  private add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    if (this.bytes.length + piece.length > this.maxBytes)
      throw new ResponseLimitError(`an event of more than ${this.maxBytes} bytes`);
    this.bytes.add(piece);
  }
}

import { AnswerLimitError } from './answer-limits.ts';

const [LF, CR] = [0x0a, 0x0d];

/** Cuts the bytes of an event stream after each event. Line ends may be \n, \r and \r\n, and chunks may end anywhere. */
export class EventSplitter {
  private pieces: Uint8Array[] = [];
  private length = 0;
  private isLineEmpty = true;
  private afterCarriageReturn = false;

  /** @param maxBytes of one event */
  constructor(private readonly maxBytes: number) {}

  /** @returns the events that this chunk completed, each with its line ends. @throws AnswerLimitError when an event is too large */
  push(chunk: Uint8Array): Uint8Array[] {
    const events: Uint8Array[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const isSecondOfPair = byte === LF && this.afterCarriageReturn;
      this.afterCarriageReturn = byte === CR;
      if (isSecondOfPair) continue;
      if (byte !== LF && byte !== CR) {
        this.isLineEmpty = false;
        continue;
      }
      if (this.isLineEmpty) {
        this.add(chunk.subarray(start, at + 1));
        events.push(this.take());
        start = at + 1;
      }
      this.isLineEmpty = true;
    }
    this.add(chunk.subarray(start));
    return events;
  }

  private add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.length += piece.length;
    if (this.length > this.maxBytes) throw new AnswerLimitError(`an event of more than ${this.maxBytes} bytes`);
    this.pieces.push(piece);
  }

  private take(): Uint8Array {
    const whole = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    this.pieces = [];
    this.length = 0;
    return whole;
  }
}

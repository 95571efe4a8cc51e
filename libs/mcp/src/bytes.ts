/** Copies pieces into one buffer of its own, which can be transferred to another thread. */
export function concatBytes(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Pieces of a body that are kept one by one. */
const MAX_SMALL_PIECES = 1_024;

/**
 * Collects the pieces of a body. A server can send a body byte by byte; so many small pieces are
 * joined, because each piece costs memory of its own.
 */
export class ByteCollector {
  /** The number of collected bytes. */
  length = 0;
  private joined: Uint8Array[] = [];
  private pieces: Uint8Array[] = [];
  private pieceBytes = 0;

  add(piece: Uint8Array): void {
    this.length += piece.length;
    this.pieceBytes += piece.length;
    this.pieces.push(piece);
    if (this.pieces.length < MAX_SMALL_PIECES) return;
    this.joined.push(concatBytes(this.pieces, this.pieceBytes));
    this.pieces = [];
    this.pieceBytes = 0;
  }

  /** Returns all bytes, without a copy when there is one piece, and starts again. */
  take(): Uint8Array {
    const { joined, pieces, length } = this;
    const [only] = pieces;
    this.joined = [];
    this.pieces = [];
    this.length = this.pieceBytes = 0;
    if (only !== undefined && pieces.length === 1 && joined.length === 0) return only;
    return concatBytes([...joined, ...pieces], length);
  }
}

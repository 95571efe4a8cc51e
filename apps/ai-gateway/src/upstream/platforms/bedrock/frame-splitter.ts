import { ByteCollector } from '@gatehouse/mcp/bytes';
import { ModelCallError } from '../../../formats/model-call-error.ts';

/** The lengths of the frame and of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
/** The prelude and the checksum of the frame. */
const MIN_FRAME_BYTES = PRELUDE_BYTES + 4;
/** Limits of the encoding (Smithy, Amazon Event Stream Specification). */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_HEADER_BYTES = 128 * 1024;

/**
 * Splits the bytes of an Amazon event stream into frames by the lengths in their preludes. Memory
 * grows with the bytes that have arrived, not with the length that a prelude claims.
 */
export class FrameSplitter {
  private readonly pending = new ByteCollector();
  /** The bytes that must be there before the next step: a prelude, or a frame. */
  private needed = PRELUDE_BYTES;

  /** Whether a frame has begun that is not complete. */
  get hasRest(): boolean {
    return this.pending.length > 0;
  }

  /**
   * Takes the next bytes, and yields the frames that are complete. Each has a buffer of its own:
   * lengths within a frame can be wrong, and must not reach other bytes.
   * @throws ModelCallError `provider_error` for a length that no frame has
   */
  *push(chunk: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
    this.pending.add(chunk);
    if (this.pending.length < this.needed) return;
    const bytes = this.pending.take();
    let at = 0;
    this.needed = PRELUDE_BYTES;
    while (bytes.length - at >= this.needed) {
      const length = readFrameLength(bytes, at);
      if (bytes.length - at < length) {
        this.needed = length;
        break;
      }
      yield new Uint8Array(bytes.subarray(at, at + length));
      at += length;
    }
    if (at < bytes.length) this.pending.add(bytes.subarray(at));
  }
}

function readFrameLength(bytes: Uint8Array, at: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, PRELUDE_BYTES);
  const [length, headerLength] = [view.getUint32(0), view.getUint32(4)];
  const isPossible =
    length >= MIN_FRAME_BYTES &&
    length <= MAX_FRAME_BYTES &&
    headerLength <= Math.min(MAX_HEADER_BYTES, length - MIN_FRAME_BYTES);
  if (isPossible) return length;
  throw new ModelCallError('provider_error', 'The provider sent a frame that is too large or malformed.');
}

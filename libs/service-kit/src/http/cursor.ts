import { createHmac, timingSafeEqual } from 'node:crypto';
import { fieldError } from '../errors/http-error.ts';

/** The list, filters and caller of a cursor. A cursor is refused under another binding. */
export interface CursorBinding {
  /** Name of the list, for example `groups`. */
  list: string;
  /** The filters of the request for the page (without cursor, before and limit). */
  filters: Readonly<Record<string, unknown>>;
  /** The caller of the request. */
  caller: { issuerId: string; subject: string };
  /**
   * The direction of the cursor; `backward` for a previous page. Default `forward`.
   */
  direction?: 'forward' | 'backward';
}

/** The last row of a page: its sort key, for example `[created_at, id]`. */
export type CursorPosition = readonly (string | number | boolean | null)[];

const MAC_BYTES = 16;
const MAX_LENGTH = 2048;

/**
 * Creates and opens opaque page cursors: the position in plain text, authenticated with list,
 * filters and caller by HMAC-SHA-256.
 */
export class CursorCodec {
  /** @param key secret of at least 32 bytes that all replicas share */
  constructor(private readonly key: string) {
    if (Buffer.byteLength(key) < 32) throw new RangeError('the cursor key must have at least 32 bytes');
  }

  /**
   * The cursor of `position` in the list that `binding` describes; base64url.
   * @throws RangeError when the position is too long (about 1.5 kB) for a query parameter
   */
  seal(binding: CursorBinding, position: CursorPosition): string {
    const payload = Buffer.from(JSON.stringify(position));
    const cursor = Buffer.concat([this.mac(binding, payload), payload]).toString('base64url');
    if (cursor.length > MAX_LENGTH)
      throw new RangeError(`the position in the list ${binding.list} is too long for a cursor`);
    return cursor;
  }

  /**
   * The position of a cursor that was created with the same binding.
   * @param parameter name of the query parameter, for the message
   * @throws HttpError invalid for every other cursor
   */
  open(binding: CursorBinding, cursor: string, parameter = 'cursor'): CursorPosition {
    const bytes =
      cursor.length <= MAX_LENGTH && /^[\w-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
    const payload = bytes.subarray(MAC_BYTES);
    const genuine =
      bytes.length > MAC_BYTES &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.mac(binding, payload));
    if (!genuine)
      throw fieldError(
        'invalid',
        parameter,
        'is not a cursor of this list, filters, direction and caller; send the request without it',
      );
    return JSON.parse(payload.toString()) as CursorPosition;
  }

  private mac(binding: CursorBinding, payload: Buffer): Buffer {
    const filters = Object.entries(binding.filters)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const { list, caller, direction = 'forward' } = binding;
    const way = direction === 'forward' ? [] : [direction];
    const bound = JSON.stringify([list, filters, caller.issuerId, caller.subject, ...way]);
    return createHmac('sha256', this.key)
      .update(`${bound.length}:${bound}`)
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}

import { getRandomValues } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ID_BYTES = 16;

/** Random bytes for the next ids. One draw for many ids costs less than one for each. */
const random = new Uint8Array(256 * ID_BYTES);
let used = random.length;

/** Creates the UUID v7 of a call. @param occurredAt its time */
export function createCallId(occurredAt: Date): string {
  if (used === random.length) {
    getRandomValues(random);
    used = 0;
  }
  used += ID_BYTES;
  return uuidv7({ msecs: occurredAt.getTime(), random: random.subarray(used - ID_BYTES, used) });
}

import { BYTES_PER_TURN, nextTurn } from './event-loop.ts';
import { JsonCounter, type JsonLimits } from './json-counter.ts';

/** Does the same as `exceededLimit`, and yields to the event loop every `BYTES_PER_TURN` bytes. */
export async function exceededLimitInTurns(
  bytes: Uint8Array,
  limits?: JsonLimits,
): Promise<keyof JsonLimits | undefined> {
  const counter = new JsonCounter(limits);
  for (let start = 0; ; start += BYTES_PER_TURN) {
    const end = Math.min(start + BYTES_PER_TURN, bytes.length);
    const exceeded = counter.push(bytes, start, end);
    if (exceeded !== undefined || end === bytes.length) return exceeded;
    await nextTurn();
  }
}

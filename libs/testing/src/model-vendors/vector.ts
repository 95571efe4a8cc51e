import { createHash } from 'node:crypto';

const DEFAULT_DIMENSIONS = 16;

/** A vector from -1 to 1 that depends on the text only. */
export function createVector(text: string, dimensions = DEFAULT_DIMENSIONS): number[] {
  const digest = createHash('sha256').update(text).digest();
  return Array.from({ length: dimensions }, (_, at) => (digest[at % digest.length]! - 128) / 128);
}

import { createHash } from 'node:crypto';
import type { ResourceIdentity } from '../state/known-files.ts';

/** Bytes that the longest name of a file may have on all file systems. */
const MAX_NAME_BYTES = 255;
const KEPT_CHARACTERS = 200;

/** Whether a file of the folder holds a resource, by its name. */
export const isResourceFileName = (name: string): boolean => !name.startsWith('.') && /\.ya?ml$/i.test(name);

/**
 * Returns the name of the file for a new resource, such as `aipolicy-developers.yaml`. Long names
 * of resources are shortened and end in a hash.
 * @param attempt 0, or the number of names that other resources use already
 */
export function createFileName({ kind, name }: ResourceIdentity, attempt: number): string {
  const whole = `${kind.toLowerCase()}-${name}.yaml`;
  if (attempt === 0 && whole.length <= MAX_NAME_BYTES) return whole;
  const hash = createHash('sha256').update(`${name} ${attempt}`).digest('hex').slice(0, 12);
  return `${kind.toLowerCase()}-${name.slice(0, KEPT_CHARACTERS)}-${hash}.yaml`;
}

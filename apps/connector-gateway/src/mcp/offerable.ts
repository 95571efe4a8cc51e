import { recordableName } from '../metering/tool-call.ts';
import { isDeeperThan } from './depth.ts';
import type { Limits } from './limits.ts';

/**
 * Whether one entry of an upstream's list can be offered to anybody. What is too large or too deep would spoil the list of everything else, and what
 * has a name that no record can hold could be called without a trace. Such entries are left out alone.
 */
export function isOfferable(
  entry: unknown,
  { featureBytes, featureDepth }: Pick<Limits, 'featureBytes' | 'featureDepth'>,
): boolean {
  if (entry === null || typeof entry !== 'object') return false;
  const name = 'name' in entry ? entry.name : '';
  if (typeof name !== 'string' || (!isResource(entry) && recordableName(name) !== name)) return false;
  return !isDeeperThan(entry, featureDepth) && Buffer.byteLength(JSON.stringify(entry)) <= featureBytes;
}

/** Resources are known by their URI; their name is for people. */
const isResource = (entry: object): boolean => 'uri' in entry || 'uriTemplate' in entry;

import { recordableName } from '../ports/tool-call.ts';

/**
 * Whether one entry of an upstream's list can be offered to anybody. A tool or prompt with a name
 * that no record can hold could be called without a trace. Size and depth of entries were judged on
 * their bytes.
 */
export function isOfferable(entry: unknown): boolean {
  if (entry === null || typeof entry !== 'object') return false;
  const name = 'name' in entry ? entry.name : '';
  return typeof name === 'string' && (isResource(entry) || recordableName(name) === name);
}

/** Resources are known by their URI; their name is for people. */
const isResource = (entry: object): boolean => 'uri' in entry || 'uriTemplate' in entry;

import { normalizeToolName } from '../ports/tool-call.ts';

/**
 * Whether an entry of an upstream's list can be offered. The name of a tool or prompt must fit into
 * a record. Size and depth were checked on the bytes.
 */
export function isOfferable(entry: unknown): boolean {
  if (entry === null || typeof entry !== 'object') return false;
  const name = 'name' in entry ? entry.name : '';
  return typeof name === 'string' && (isResource(entry) || normalizeToolName(name) === name);
}

/** Resources are identified by their URI; their name is a label. */
const isResource = (entry: object): boolean => 'uri' in entry || 'uriTemplate' in entry;

import { BYTES_PER_TURN, nextTurn } from '@gatehouse/json-limits/event-loop';
import { hash } from 'node:crypto';
import type { ToolDigest } from '../ports/tool-pin-store.ts';
import { serializeCanonicalJson } from '../upstreams/fingerprint.ts';

/** A tool of a list, with the hash of its whole definition. */
export interface DigestedTool<T> extends ToolDigest {
  definition: T;
}

/**
 * Computes the hashes of a list of tools in turns of the event loop. A hash covers all members of
 * the definition, also `_meta` and members that the gateway does not know: each of them can reach
 * the model. Of tools with the same name only the first is kept, as in the lists for clients.
 */
export async function digestTools<T extends { name: string }>(
  definitions: readonly T[],
): Promise<readonly DigestedTool<T>[]> {
  const tools = new Map<string, DigestedTool<T>>();
  let bytes = 0;
  for (const definition of definitions) {
    if (tools.has(definition.name)) continue;
    const text = serializeCanonicalJson(definition);
    tools.set(definition.name, { tool: definition.name, hash: hash('sha256', text, 'hex'), definition });
    bytes += text.length;
    if (bytes < BYTES_PER_TURN) continue;
    bytes = 0;
    await nextTurn();
  }
  return [...tools.values()];
}

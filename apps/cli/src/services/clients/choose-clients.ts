import type { ClientStatus } from './workload-clients.ts';

/**
 * Reads the choice of a person among listed clients: numbers and names with commas or blanks
 * between them, `all`, or nothing.
 * @returns the ids, or the part that is neither a number of the list nor a name
 */
export function parseChoice(
  typed: string,
  found: readonly ClientStatus[],
): { readonly ids: string[] } | { readonly unknown: string } {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 1 && words[0] === 'all') return { ids: found.map(({ client }) => client) };
  const ids: string[] = [];
  for (const word of words) {
    const id = /^\d+$/.test(word)
      ? found[Number(word) - 1]?.client
      : found.find(({ client }) => client === word)?.client;
    if (id === undefined) return { unknown: word };
    ids.push(id);
  }
  return { ids: [...new Set(ids)] };
}

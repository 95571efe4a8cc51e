import type { EntryChange } from '@gatehouse/mcp-clients/entries/client-configurations';

/**
 * Describes the changes in files of MCP clients that a person must know: the entries that Gatehouse
 * left as they are, and failures.
 */
export function describeProblems(changes: readonly EntryChange[]): string[] {
  return changes.flatMap(({ client, name, file, action, reason }) => {
    if (action === 'foreign')
      return `${client} has another server named '${name}' in ${file}, which stays as it is; remove it there, or give the workload another --name`;
    if (action === 'edited')
      return `${client} keeps the server '${name}' in ${file}, because the entry was edited; remove it there`;
    return action === 'failed' ? `${client} is not changed: ${reason ?? 'unknown'}` : [];
  });
}

/** Describes the entries that were added, updated or removed, one line for each. */
export const describeChanges = (changes: readonly EntryChange[]): string[] =>
  changes.flatMap(({ client, name, file, action }) =>
    ['added', 'updated', 'removed'].includes(action) ? `${client}: ${name} ${action} (${file})` : [],
  );

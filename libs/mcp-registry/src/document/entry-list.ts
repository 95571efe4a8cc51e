import type { z } from 'zod';
import { ServerEntry, SERVER_NAME } from './server-entry.ts';

/** Why an entry of a registry is left out. */
export interface EntryProblem {
  /** The name of the entry, or its place in the list, such as `data.servers[3]`. */
  readonly entry: string;
  /** Path of the field in the entry, such as `packages[0].version`; empty for the whole entry. */
  readonly field: string;
  readonly reason: string;
}

/** Entries of a registry, and the problems of entries that are left out. */
export interface EntryList {
  readonly servers: readonly ServerEntry[];
  readonly problems: readonly EntryProblem[];
}

/**
 * Reads each entry of a list by itself, so that one wrong entry does not hide the others.
 * @param place path of the list in its document, for messages
 */
export function readEntries(values: readonly unknown[], place: string): EntryList {
  const servers = new Map<string, ServerEntry>();
  const problems: EntryProblem[] = [];
  for (const [index, value] of values.entries()) {
    const read = ServerEntry.safeParse(value);
    const at = `${place}[${index}]`;
    if (!read.success) problems.push(describeIssue(getEntryName(value) ?? at, read.error));
    else if (servers.has(read.data.name))
      problems.push({
        entry: read.data.name,
        field: '',
        reason: `it is in the registry twice (${at}); the first one counts`,
      });
    else servers.set(read.data.name, read.data);
  }
  return { servers: [...servers.values()], problems };
}

/** The name of an entry, if it has a valid one. */
function getEntryName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('name' in value)) return undefined;
  return typeof value.name === 'string' && value.name.length <= 200 && SERVER_NAME.test(value.name)
    ? value.name
    : undefined;
}

function describeIssue(entry: string, error: z.ZodError): EntryProblem {
  const [issue] = error.issues;
  return { entry, field: formatPath(issue?.path ?? []), reason: issue?.message ?? 'is not valid' };
}

/** Writes a path as `packages[0].transport.type`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
}

/** A problem in one line: the entry, the field and the reason. */
export function formatProblem({ entry, field, reason }: EntryProblem): string {
  return [entry, field, reason].filter((part) => part !== '').join(': ');
}

import type { ServerEntry } from '../document/server-entry.ts';
import { AmbiguousServerError, UnknownServerError } from '../registry-error.ts';

/**
 * Finds a server by its full name; a name without a slash is also the end of a name.
 * @param location the registry in messages
 * @throws UnknownServerError, AmbiguousServerError
 */
export function findServer(servers: readonly ServerEntry[], typed: string, location: string): ServerEntry {
  const exact = servers.find(({ name }) => name === typed);
  if (exact !== undefined) return exact;
  const found = typed.includes('/') ? [] : servers.filter(({ name }) => name.endsWith(`/${typed}`));
  const [only] = found;
  if (found.length > 1)
    throw new AmbiguousServerError(
      typed,
      found.map(({ name }) => name),
    );
  if (only === undefined) throw createUnknownError(typed, location);
  return only;
}

/** The error for a name that a registry does not have. */
export const createUnknownError = (typed: string, location: string): UnknownServerError =>
  new UnknownServerError(`There is no server '${typed}' in ${location}`, [
    'gatehouse search WORD   finds servers',
    'gatehouse registry list   shows all servers',
  ]);

/** Whether a text can be the name of a server: it has no scheme, tag, digest or path. */
export const isServerName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9._-]+)?$/.test(text);

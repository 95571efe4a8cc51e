import { isDeepStrictEqual } from 'node:util';
import type { McpClient, ServerEntry } from '../clients/mcp-client.ts';
import { ConfigTextError } from '../files/client-file-error.ts';
import type { ConfigFormat, Place } from './config-format.ts';

/**
 * The state of a file before the first entry of Gatehouse, where the removal of the last entry
 * cannot find it out.
 */
export interface Scaffold {
  /** The whole text, when it had no settings: only blanks, comments and braces. */
  readonly document?: string;
  /** The text of the section, when it had no entry; null: there was no section. */
  readonly section?: string | null;
}

/** Loads the edits of a format. The parsers are loaded when a file has this format. */
export async function loadFormat(format: McpClient['format']): Promise<ConfigFormat> {
  if (format === 'json') return (await import('./json-format.ts')).jsonFormat;
  if (format === 'yaml') return (await import('./yaml-format.ts')).yamlFormat;
  return (await import('./toml-format.ts')).tomlFormat;
}

/** Returns the entry of a name; undefined when there is none. */
export function findEntry(format: ConfigFormat, text: string, place: Place, name: string): unknown {
  return getServers(format.parse(text), place).find(([other]) => other === name)?.[1];
}

/**
 * Adds an entry, or replaces the one of the same name.
 * @returns the text, and the state before it
 * @throws ConfigTextError when the text is invalid, or has a form that cannot be edited
 */
export function putEntry(
  format: ConfigFormat,
  text: string,
  place: Place,
  name: string,
  entry: ServerEntry,
): { text: string; scaffold: Scaffold } {
  const before = format.parse(text);
  const servers = getServers(before, place);
  const others = servers.filter(([other]) => other !== name);
  const after = format.put(text, place, name, entry);
  requireServers(format, after, place, before, [...others, [name, entry]]);
  if (servers.length > 0) return { text: after, scaffold: {} };
  if (!isObject(before) || Object.keys(before).length === 0) return { text: after, scaffold: { document: text } };
  const hasSection = Object.hasOwn(before, place.section);
  return { text: after, scaffold: { section: hasSection ? format.getEmptySection(text, place) : null } };
}

/**
 * Removes the entry of a name.
 * @param scaffold the state before the first entry, when no other entry of Gatehouse remains
 * @throws ConfigTextError
 */
export function removeEntry(
  format: ConfigFormat,
  text: string,
  place: Place,
  name: string,
  scaffold: Scaffold = {},
): string {
  const before = format.parse(text);
  const others = getServers(before, place).filter(([other]) => other !== name);
  const after = format.remove(text, place, name);
  requireServers(format, after, place, before, others);
  return others.length > 0 ? after : restore(format, after, place, scaffold);
}

/** Restores the state before the first entry, in a text without entries. */
function restore(format: ConfigFormat, text: string, place: Place, { document, section }: Scaffold): string {
  const { [place.section]: _, ...others } = (format.parse(text) ?? {}) as Record<string, unknown>;
  if (document !== undefined && Object.keys(others).length === 0 && countComments(text) === countComments(document))
    return document;
  if (document === undefined && section === undefined) return text;
  try {
    const restored = format.replaceEmptySection(text, place, section ?? undefined);
    const { [place.section]: servers, ...rest } = (format.parse(restored) ?? {}) as Record<string, unknown>;
    return isEqual(rest, others) && getServers({ [place.section]: servers }, place).length === 0 ? restored : text;
  } catch (error) {
    if (error instanceof ConfigTextError) return text;
    throw error;
  }
}

const countComments = (text: string): number => text.match(/(^|\s)(#|\/\/|\/\*)/g)?.length ?? 0;

/** @throws ConfigTextError unless the edit changed the servers and nothing else */
function requireServers(
  format: ConfigFormat,
  text: string,
  place: Place,
  before: unknown,
  servers: readonly (readonly [string, unknown])[],
): void {
  const { [place.section]: _, ...others } = (before ?? {}) as Record<string, unknown>;
  const { [place.section]: __, ...rest } = (format.parse(text) ?? {}) as Record<string, unknown>;
  const found = getServers(format.parse(text), place);
  const byName = (list: readonly (readonly [string, unknown])[]) => list.toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (isEqual(rest, others) && isEqual(byName(found), byName(servers))) return;
  throw new ConfigTextError(`has a form at ${place.section} that Gatehouse cannot change`);
}

/** Whether two values are equal. Prototypes, which differ between parsers, do not count. */
export const isEqual = (a: unknown, b: unknown): boolean => isDeepStrictEqual(structuredClone(a), structuredClone(b));

/** Returns the names and the entries of the servers of a document. */
function getServers(document: unknown, { section, shape }: Place): (readonly [string, unknown])[] {
  if (document === undefined) return [];
  if (!isObject(document)) throw new ConfigTextError('does not contain a map of settings');
  const servers = document[section];
  if (servers === undefined || servers === null) return [];
  if (shape === 'map') {
    if (!isObject(servers)) throw new ConfigTextError(`must have a map at ${section}`);
    return Object.entries(servers);
  }
  if (!Array.isArray(servers)) throw new ConfigTextError(`must have a list at ${section}`);
  return servers.map((item: unknown) => [isObject(item) ? String(item['name']) : '', item] as const);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import { z } from 'zod';
import { RegistryDocumentError } from '../registry-error.ts';
import { type EntryProblem, formatPath, readEntries } from './entry-list.ts';
import { Text } from './inputs.ts';
import { parseJsonText } from './json-text.ts';
import type { ServerEntry } from './server-entry.ts';

/** The frame of a document. Entries are read one by one ({@link readEntries}). */
const Frame = z.looseObject({
  version: z.string().max(50),
  meta: z.looseObject({ last_updated: z.string().max(100).optional() }),
  data: z.looseObject({
    servers: z.array(z.unknown()).max(50_000),
    groups: z
      .array(
        z.looseObject({
          name: z
            .string()
            .max(200)
            .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, dots, hyphens and underscores'),
          description: Text.default(''),
          servers: z.array(z.unknown()).max(1_000),
        }),
      )
      .max(1_000)
      .default([]),
  }),
});

/** A group of servers that a registry offers together. */
export interface RegistryGroup {
  readonly name: string;
  readonly description: string;
  readonly servers: readonly ServerEntry[];
}

/** A document with servers and groups of servers. */
export interface RegistryDocument {
  readonly version: string;
  /** RFC 3339 time; undefined if the document has none. */
  readonly lastUpdated: string | undefined;
  readonly servers: readonly ServerEntry[];
  readonly groups: readonly RegistryGroup[];
  /** Entries that are left out. */
  readonly problems: readonly EntryProblem[];
}

/**
 * Reads a document `{ "$schema", version, meta, data: { servers, groups } }`.
 * @param source name of the document in messages
 * @throws RegistryDocumentError for a document of another form
 */
export function readRegistryDocument(bytes: Uint8Array, source: string): RegistryDocument {
  return createRegistryDocument(parseJsonText(bytes, source), source);
}

/** Reads a document that is parsed already. @throws RegistryDocumentError */
export function createRegistryDocument(value: unknown, source: string): RegistryDocument {
  const read = Frame.safeParse(value);
  if (!read.success) throw isOldFormat(value) ? createOldFormatError(source) : createFrameError(source, read.error);
  const { version, meta, data } = read.data;
  const servers = readEntries(data.servers, 'data.servers');
  const groups = data.groups.map(({ name, description, servers: members }, index) => ({
    name,
    description,
    ...readEntries(members, `data.groups[${index}].servers`),
  }));
  return {
    version,
    lastUpdated: meta.last_updated,
    servers: servers.servers,
    groups: groups.map(({ name, description, servers: members }) => ({ name, description, servers: members })),
    problems: [...servers.problems, ...groups.flatMap(({ problems }) => problems)],
  };
}

/** Older registries have maps of servers at the top level. */
function isOldFormat(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !('data' in value) &&
    ('servers' in value || 'remote_servers' in value)
  );
}

const createOldFormatError = (source: string): RegistryDocumentError =>
  new RegistryDocumentError(
    `${source} is a registry of an older format: its servers are at the top level, not in data.servers`,
    ['convert the file to the format {"version", "meta", "data": {"servers": [server.json …]}}'],
  );

function createFrameError(source: string, error: z.ZodError): RegistryDocumentError {
  const [issue] = error.issues;
  const field = formatPath(issue?.path ?? []);
  return new RegistryDocumentError(
    `${source} is no registry: ${field === '' ? '' : `${field}: `}${issue?.message ?? 'it is not valid'}`,
    ['a registry has the form {"version", "meta", "data": {"servers": [server.json …]}}'],
  );
}

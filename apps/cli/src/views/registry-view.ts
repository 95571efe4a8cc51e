import { type EntryProblem, formatProblem } from '@gatehouse/mcp-registry/document/entry-list';
import type { ServerEntry } from '@gatehouse/mcp-registry/document/server-entry';
import { RegistryError } from '@gatehouse/mcp-registry/registry-error';
import { createRegistryServer } from '@gatehouse/mcp-registry/servers/create-registry-server';
import type { RegistryServer, ServerVariable } from '@gatehouse/mcp-registry/servers/registry-server';
import { terminal } from '../config/config.ts';
import { type Output, printable } from '../terminal/output.ts';
import { formatTable } from '../terminal/table.ts';

/** The head of the table of servers. */
const SERVER_HEAD = ['NAME', 'RUNS AS', 'TRANSPORT', 'TOOLS', 'DESCRIPTION'] as const;

/** The maximum number of characters of a description in a table. */
const MAX_DESCRIPTION_LENGTH = 80;
/** The maximum number of entries that are named as left out. */
const MAX_PROBLEMS = 10;

/** Formats a number of servers. */
export const formatServerCount = (count: number): string => `${count} ${count === 1 ? 'server' : 'servers'}`;

/** Prints servers as JSON or as a table. @param none the sentence for an empty list */
export function showServers(output: Output, json: boolean, servers: readonly ServerEntry[], none: string): void {
  if (json) output.json(servers);
  else if (servers.length === 0) output.say(none);
  else
    output.line(
      formatTable(SERVER_HEAD, servers.map(createServerRow), process.stdout.isTTY && terminal().colours, {
        spare: ['TRANSPORT'],
      }),
    );
}

/** A server as a row of a table. A server that cannot be run has the field as its reason. */
function createServerRow(entry: ServerEntry): string[] {
  const server = readServer(entry);
  const cells =
    'reason' in server
      ? ['cannot run', '-', '-']
      : [server.kind, server.transport, server.tools.length === 0 ? '-' : String(server.tools.length)];
  return [entry.name, ...cells, shorten(entry.description)].map(printable);
}

function readServer(entry: ServerEntry): RegistryServer | { readonly reason: string } {
  try {
    return createRegistryServer(entry);
  } catch (error) {
    if (error instanceof RegistryError) return { reason: error.message };
    throw error;
  }
}

const shorten = (text: string): string =>
  text.length <= MAX_DESCRIPTION_LENGTH ? text : `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1).trimEnd()}…`;

/** The details of a server for a person. */
export function createServerDetails(entry: ServerEntry): object {
  const server = readServer(entry);
  const { name, title, description, version } = entry;
  if ('reason' in server) return { name, title, description, version, problem: server.reason };
  return {
    ...{ name, title, description, version, repository: server.repository, tags: server.tags },
    ...(server.deprecated && { status: 'deprecated' }),
    ...(server.kind === 'remote'
      ? { url: server.url, transport: server.transport, headers: server.headers.map(toRow), sign_in: server.oauth }
      : {
          ...{ runs: server.source, transport: server.transport, port: server.targetPort },
          arguments: [...server.arguments.values, ...server.arguments.missing.map(({ name: hint }) => `<${hint}>`)],
          ...{ permissions: server.permissions ?? 'network', environment: server.environment.map(toRow) },
        }),
    tools: server.tools,
    ...(server.warnings.length > 0 && { warnings: server.warnings }),
  };
}

const toRow = ({ name, required, secret, default: preset, description }: ServerVariable) => ({
  ...{ name, required: required ? 'yes' : 'no', secret: secret ? 'yes' : 'no', default: preset, description },
});

/** Lines about entries that are left out. */
export function describeProblems(problems: readonly EntryProblem[]): string[] {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => printable(`Left out: ${formatProblem(problem)}`));
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

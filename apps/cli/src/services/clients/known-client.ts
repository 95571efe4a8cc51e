import { MCP_CLIENTS } from '@gatehouse/mcp-clients/clients/client-table';
import type { McpClient } from '@gatehouse/mcp-clients/clients/mcp-client';
import { nearest } from '../../errors/nearest.ts';
import { UsageError } from '../../errors/cli-error.ts';

/** Names of clients that cannot be configured, with the reason. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  'claude-desktop':
    'reads no servers with a URL from its file; add a server with the command npx and the arguments mcp-remote URL by hand',
};

/**
 * Returns the client of an id.
 * @throws UsageError for an unknown one, with the most similar id
 */
export function requireClient(id: string): McpClient {
  const client = MCP_CLIENTS.find((one) => one.id === id);
  if (client !== undefined) return client;
  const reason = UNSUPPORTED[id];
  if (reason !== undefined) throw new UsageError(`${id} ${reason}`);
  const near = nearest(
    id,
    MCP_CLIENTS.map((one) => one.id),
  );
  throw new UsageError(`'${id}' is not a known MCP client`, [
    ...(near === undefined ? [] : [near]),
    'gatehouse client status --all   lists the known clients',
  ]);
}

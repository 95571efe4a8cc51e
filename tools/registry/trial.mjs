import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Milliseconds for the start, the handshake and the list. */
const TIMEOUT_MS = 120_000;

/**
 * Starts a server, initializes and lists its tools.
 * @param {string[]} command program and arguments
 * @param {{ environment: Record<string, string>, folder: string, network: boolean }} options
 * network: false starts it without any network interface
 * @returns {Promise<{ server: { name: string, version: string }, tools: string[] }>}
 */
export async function tryServer(command, { environment, folder, network }) {
  const [program, ...args] = network ? command : ['unshare', '--net', ...command];
  const transport = new StdioClientTransport({
    ...{ command: program, args, cwd: folder, stderr: 'pipe' },
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
  });
  let log = '';
  transport.stderr?.on('data', (chunk) => (log += chunk));
  const client = new Client({ name: 'gatehouse-registry', version: '1.0.0' });
  const deadline = setTimeout(() => void client.close(), TIMEOUT_MS);
  try {
    await client.connect(transport);
    const { name, version } = client.getServerVersion() ?? { name: '', version: '' };
    return { server: { name, version }, tools: await listTools(client) };
  } catch (error) {
    throw new Error(`${error.message}\n${log.slice(-1_000)}`, { cause: error });
  } finally {
    clearTimeout(deadline);
    await client.close();
  }
}

async function listTools(client) {
  const names = [];
  let cursor;
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor });
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names.sort();
}

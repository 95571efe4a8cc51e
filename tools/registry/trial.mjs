import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const GATEHOUSE = fileURLToPath(new URL('../../apps/cli/bin/gatehouse.js', import.meta.url));

/** Runs `gatehouse` with a home. @returns its standard output; rejects with its messages */
function gatehouse(home, ...args) {
  const child = spawn(process.execPath, [GATEHOUSE, ...args], {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, GATEHOUSE_HOME: home } },
  });
  let [output, messages] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (messages += chunk));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(messages.trim()))));
  });
}

/**
 * Runs the server of an entry with `gatehouse run`, in a container with the permissions of the
 * entry, initializes and lists its tools. The workload is removed, and its image stays.
 * @param {object} entry in the format of server.json
 * @param {{ environment: Record<string, string>, args: string[], images: Record<string, string> }}
 * options
 * images: base images by scheme, in place of the default ones
 * @returns {Promise<{ server: { name: string, version: string }, tools: string[] }>}
 */
export async function tryServer(entry, { environment, args, images }) {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-trial-'));
  try {
    const registry = join(home, 'registry.json');
    const document = { version: '1.0.0', meta: { last_updated: '' }, data: { servers: [entry] } };
    writeFileSync(registry, JSON.stringify(document));
    await gatehouse(home, 'registry', 'set', registry);
    for (const [scheme, image] of Object.entries(images))
      await gatehouse(home, 'settings', 'set', `runtime.${scheme}.image`, image);
    const variables = Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const given = args.length === 0 ? [] : ['--', ...args];
    const flags = ['--name', 'trial', '--start-timeout', '5m', '--json', ...variables, ...given];
    const { url } = JSON.parse(await gatehouse(home, 'run', entry.name, ...flags));
    return await askServer(url);
  } finally {
    await gatehouse(home, 'rm', '--all', '--yes').catch(() => undefined);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Initializes a server and lists its tools. */
async function askServer(url) {
  const client = new Client({ name: 'gatehouse-registry', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const { name, version } = client.getServerVersion() ?? { name: '', version: '' };
    return { server: { name, version }, tools: await listTools(client) };
  } finally {
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

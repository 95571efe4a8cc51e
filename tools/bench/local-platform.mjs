import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

const MAIN = fileURLToPath(new URL('../../apps/local-platform/dist/main.js', import.meta.url));

/**
 * A local platform of its own, built, on a fresh home. `GATEHOUSE_PORT_OFFSET` moves its ports.
 * @returns the addresses of its services, `tokenOf` for a user or client, and `end`
 */
export async function startPlatform() {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const child = spawn(process.execPath, [MAIN, '--json'], {
    env: { ...process.env, GATEHOUSE_HOME: home, GATEHOUSE_PORT_OFFSET: process.env.GATEHOUSE_PORT_OFFSET ?? '7000' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(home, { recursive: true, force: true });
  };
  // A benchmark that is ended takes its platform along.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end().finally(() => process.exit(1)));
  try {
    const { urls, issuer } = JSON.parse(await firstLine(child));
    const secret = readFileSync(join(home, 'secrets', 'local-tokens'), 'utf8');
    const tokenOf = async (owner) => {
      const answer = await fetch(`${issuer}/local/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify({ ...owner, ttl_seconds: 3_600 }),
      });
      return (await answer.json()).access_token;
    };
    return { urls, tokenOf, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function firstLine(child) {
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'));
  }
  throw new Error('the platform ended before it was ready');
}

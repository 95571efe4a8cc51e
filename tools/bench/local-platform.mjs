import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { firstLine, stop } from './child-process.mjs';

const MAIN = fileURLToPath(new URL('../../apps/local-platform/dist/main.js', import.meta.url));

/**
 * Starts the built local platform on a new home. `GATEHOUSE_PORT_OFFSET` moves its ports.
 * @returns `urls`, `issuer`, `audience`, `fetchToken` for a user or client, and `end`
 */
export async function startPlatform() {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const child = spawn(process.execPath, [MAIN, '--json'], {
    env: { ...process.env, GATEHOUSE_HOME: home, GATEHOUSE_PORT_OFFSET: process.env.GATEHOUSE_PORT_OFFSET ?? '7000' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = async () => {
    await stop(child);
    rmSync(home, { recursive: true, force: true });
  };
  // A stopped benchmark also stops its platform.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end().finally(() => process.exit(1)));
  try {
    const { urls, issuer, audience } = JSON.parse(await firstLine(child));
    const secret = readFileSync(join(home, 'secrets', 'local-tokens'), 'utf8');
    const fetchToken = async (owner) => {
      const response = await fetch(`${issuer}/local/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify({ ...owner, ttl_seconds: 3_600 }),
      });
      return (await response.json()).access_token;
    };
    return { urls, issuer, audience, fetchToken, end };
  } catch (error) {
    await end();
    throw error;
  }
}

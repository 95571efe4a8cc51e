import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePorts } from '@gatehouse/testing/ports';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Check } from '@gatehouse/testing/conformance-suite';
import { EmbeddedServerWorld } from './support/embedded-server.ts';
import { decide, openConsent } from './support/mcp-sign-in.ts';
import { registerClient } from './support/raw-authorization.ts';

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

let world: EmbeddedServerWorld;

beforeAll(async () => {
  world = await EmbeddedServerWorld.start();
  await world.replica();
}, 60_000);
afterAll(() => world.close());

/** Runs the scenarios for authorization servers, with a user who consents. */
async function runScenarios(port: number, clientId: string): Promise<Record<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-conformance-'));
  const options = ['--url', world.publicUrl, '--client-id', clientId, '--resource', `${world.publicUrl}/mcp`];
  const suite = spawn(
    process.execPath,
    [program, 'authorization', ...options, '--port', String(port), '--output-dir', folder],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  let isOpened = false;
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    const url = /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+/.exec(output)?.[0];
    if (url === undefined || isOpened) return;
    isOpened = true;
    void openConsent(url).then(async (opened) => {
      const redirect = await decide(opened, 'allow', `http://127.0.0.1:${port}/`);
      await (await fetch(redirect)).text();
    });
  };
  suite.stdout.on('data', read);
  suite.stderr.on('data', read);
  await once(suite, 'close');
  try {
    const results = readdirSync(folder).map((name): [string, Check[]] => [
      name.replace(/-\d{4}-\d\d.*$/, ''),
      JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    ]);
    if (results.length === 0) throw new Error(`the suite ended without a result: ${output}`);
    return Object.fromEntries(results);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('the conformance suite passes its scenarios for authorization servers', async () => {
  const [port = 0] = await freePorts(1);
  const clientId = await registerClient(world.publicUrl, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const scenarios = await runScenarios(port, clientId);
  expect(Object.keys(scenarios).sort()).toEqual([
    'authorization-server-authorization-code-grant',
    'authorization-server-authorization-server-metadata-endpoint',
  ]);
  for (const checks of Object.values(scenarios))
    for (const { id, status, errorMessage } of checks)
      expect([id, status, errorMessage]).toEqual([id, expect.stringMatching(/^(SUCCESS|INFO)$/), undefined]);
}, 60_000);

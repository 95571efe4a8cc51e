// Usage: node tools/bench/resource-files.mjs [number of policies]
// Measures the file store of AIPolicies: the first start, a start with its state, memory, reads,
// writes and the idle cost. CPU time is that of the whole process.
import { FileResourceStore } from '@gatehouse/ai-resources/file-resource-store';
import { ResourceFolder } from '@gatehouse/ai-resources/resource-folder';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const WRITES = 100;
const IDLE_MS = 20_000;
const [argument = '5000', folderPath] = process.argv.slice(2);
const count = Number(argument);

const writePolicy = (at) => `apiVersion: gatehouse.dev/v1alpha1
kind: AIPolicy
metadata:
  name: policy-${at}
  labels: { team: team-${at % 20} }
spec:
  gatewayRef: { name: local }
  description: The policy of team ${at}
  principalMatchers:
    - claims: { groups: team-${at}, organization: acme }
    - claims: { email: user-${at}@example.test }
  budgets:
    - name: default
      models: [gpt-5, claude-opus-4-1, gemini-2.5-pro]
`;

const readMegabytes = () => Math.round(process.memoryUsage().rss / 1e6);

/** Runs work. @returns CPU milliseconds, milliseconds by the clock, and the result */
async function measure(work) {
  const [cpu, clock] = [process.cpuUsage(), performance.now()];
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / 1000, clock: performance.now() - clock, result };
}

const print = (name, { cpu, clock }, times = 1) =>
  console.log(`${name.padEnd(44)} ${(cpu / times).toFixed(2).padStart(9)} ${(clock / times).toFixed(2).padStart(9)}`);

async function measureProcess(path) {
  const keepAlive = setInterval(() => undefined, 60_000);
  const memory = readMegabytes();
  const folder = new ResourceFolder({ path, namespace: 'gatehouse' });
  const store = new FileResourceStore(folder, 'AIPolicy');
  print(`start with ${count} files`, await measure(() => store.get('policy-1')));
  console.log(`memory before and after the start, MB: ${memory}, ${readMegabytes()}`);
  print('list of 500', await measure(() => store.list({ limit: 500 })));
  print('list of 500 by a label', await measure(() => store.list({ limit: 500, labelSelector: 'team in (team-1)' })));
  for (const [name, options, patch] of [
    ['patch of the spec', {}, (at) => ({ spec: { description: `changed ${process.pid} ${at}` } })],
    ['patch of the status', { subresource: 'status' }, (at) => ({ status: { observedGeneration: process.pid + at } })],
  ]) {
    const written = await measure(async () => {
      for (let at = 0; at < WRITES; at += 1) {
        const { metadata } = await store.get(`policy-${at}`);
        await store.patch(metadata.name, patch(at), { ...metadata, ...options });
      }
    });
    print(`${name}, one of ${WRITES} in turn`, written, WRITES);
  }
  await sleep(3_000);
  const idle = await measure(() => sleep(IDLE_MS));
  console.log(`idle: ${((100 * idle.cpu) / idle.clock).toFixed(2)} % of a core, ${readMegabytes()} MB`);
  await folder.close();
  clearInterval(keepAlive);
}

if (folderPath === undefined) {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-resources-'));
  for (let at = 0; at < count; at += 1) writeFileSync(join(path, `policy-${at}.yaml`), writePolicy(at));
  for (const name of ['first start', 'start with a state']) {
    console.log(`\n${name.padEnd(44)} ${'CPU ms'.padStart(9)} ${'ms'.padStart(9)}`);
    spawnSync(process.execPath, [fileURLToPath(import.meta.url), argument, path], { stdio: 'inherit' });
  }
  rmSync(path, { recursive: true });
} else await measureProcess(folderPath);

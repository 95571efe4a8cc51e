// Usage: node tools/bench/ai-gateway.mjs [rounds] [--clients 1,16] [--seconds 3] [--streams 2000]
// [--portkey FOLDER] [--litellm FOLDER] [--profile] (after `npm run build`)
// The folders have node_modules/@portkey-ai/gateway, with the cure of its streams in
// docs/benchmarks.md, and a Python environment with `litellm[proxy]`.
// Method and goals: docs/benchmarks.md#ai-gateway. Linux only, two cores.
import { execFile, spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { MODEL, startGateway, startScene } from './ai-gateway/scene.mjs';
import { openStreams } from './ai-gateway/open-streams.mjs';
import { startLitellm } from './ai-gateway/litellm.mjs';
import { stop } from './child-process.mjs';
import { cpuSeconds } from './core-share.mjs';
import { freePort, MEASURED_CORE, OTHER_CORE, startMeasured } from './gateway/measured-process.mjs';
import { beginRun, startPipe } from './gateway/measured-run.mjs';
import { median } from './statistics.mjs';
import { percent, printTable } from './table.mjs';

const PIPE = 'node:http pipe';
const WARM_UP_SECONDS = 1;
/** Calls before the first measurement, in which V8 compiles the code of the path. */
const COMPILATION_SECONDS = 6;
const PROFILES = join(import.meta.dirname, '../../.cache/bench');

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clients: { type: 'string', default: '1,16' },
    seconds: { type: 'string', default: '3' },
    streams: { type: 'string', default: '2000' },
    portkey: { type: 'string' },
    litellm: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
});
const rounds = Number(positionals[0] ?? 1);
const run = promisify(execFile);
const here = (...names) => join(import.meta.dirname, ...names);
const bench = beginRun();
const { home } = bench;
try {
  await main();
} finally {
  await bench.end();
}

async function main() {
  console.log(
    `load average ${loadavg()[0].toFixed(1)}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}; core ${MEASURED_CORE}: the measured process; ` +
      `core ${OTHER_CORE}: driver, provider, issuer, enterprise manager and Postgres`,
  );
  const provider = await startProvider(20, 0);
  const scene = await startScene(home);
  bench.onEnd(() => scene.end());
  const gateway = await startGateway(scene, provider, options.profile ? { profile: PROFILES } : {});
  bench.onEnd(() => stop(gateway.child));
  const stage = { scene, gateway, answered: 0 };
  const targets = await createTargets(stage, provider);
  for (const kind of ['plain', 'stream'])
    await measure(stage, targets, { kind, clients: 16, seconds: COMPILATION_SECONDS }, 1);
  for (const kind of ['plain', 'stream'])
    for (const clients of options.clients.split(',').map(Number))
      printLoads(
        `${kind} chat completions, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
        await measure(stage, targets, { kind, clients, seconds: Number(options.seconds) }, rounds),
      );
  await checkEvents(stage);
  if (Number(options.streams) > 0) await measureStreams(scene, Number(options.streams));
}

async function startProvider(events, pause) {
  const port = await freePort();
  const child = spawn(process.execPath, [here('ai-gateway', 'provider.mjs'), port, events, pause].map(String), {
    stdio: 'inherit',
  });
  bench.onEnd(() => stop(child));
  return port;
}

async function createTargets({ scene, gateway }, provider) {
  const common = { model: MODEL, path: '/v1/chat/completions' };
  const addTarget = (name, { port, child, headers = '' }) =>
    targets.push([name, { ...common, port, pid: child.pid, headers }]);
  const targets = [];
  addTarget(PIPE, await startPipe(bench, provider));
  addTarget('AI gateway', { ...gateway, headers: `Authorization: Bearer ${scene.key}\r\n` });
  if (options.portkey !== undefined) addTarget('Portkey', await startPortkey(provider));
  if (options.litellm !== undefined) {
    const litellm = await startLitellm({ home, venv: options.litellm, provider });
    bench.onEnd(() => stop(litellm.child));
    addTarget('LiteLLM', litellm);
  }
  return targets;
}

async function startPortkey(provider) {
  const port = await freePort();
  const main = join(options.portkey, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  const args = [main, '--headless', `--port=${port}`];
  const { child } = await startMeasured(process.execPath, args, { env: {}, logFile: join(home, 'portkey.log'), port });
  bench.onEnd(() => stop(child));
  const headers = `x-portkey-provider: openai\r\nx-portkey-custom-host: http://127.0.0.1:${provider}/v1\r\nAuthorization: Bearer x\r\n`;
  return { port, child, headers };
}

/** Measures targets in turns. @returns by name, the results of all rounds */
async function measure(stage, targets, job, count) {
  const { scene, gateway } = stage;
  const processes = { manager: scene.manager.child.pid, managerPostgres: scene.postgres.pid };
  const results = new Map();
  for (let round = 0; round < count; round += 1)
    for (const [name, target] of targets) {
      await waitForQuiet(stage);
      const text = JSON.stringify({ warmUpSeconds: WARM_UP_SECONDS, processes, ...job, target });
      const { stdout } = await run(process.execPath, [here('ai-gateway', 'driver.mjs'), text]);
      const result = JSON.parse(stdout);
      if (target.pid === gateway.child.pid) stage.answered += result.answered;
      results.set(name, [...(results.get(name) ?? []), result]);
    }
  return results;
}

/** Waits until the gateway and the manager have finished their work in the background. */
async function waitForQuiet({ scene, gateway }) {
  const read = () => cpuSeconds(gateway.child.pid) + cpuSeconds(scene.manager.child.pid);
  for (let tries = 0; tries < 60; tries += 1) {
    const before = read();
    await sleep(300);
    if (read() - before <= 0.03) return;
  }
}

function printLoads(title, results) {
  console.log(`\n### ${title}\n`);
  const base = results.get(PIPE);
  const rows = [...results].map(([name, all]) => {
    const middle = (field) => median(all.map((one) => one[field]));
    const errors = all.reduce((total, one) => total + one.errors, 0);
    if (errors > 0) console.error(`a wrong answer of ${name}: ${all.find(({ firstError }) => firstError)?.firstError}`);
    return [
      name,
      middle('rate').toFixed(0),
      median(all.map(({ rate }, at) => rate / base[at].rate)).toFixed(3),
      middle('p50').toFixed(2),
      middle('p99').toFixed(2),
      middle('firstByte').toFixed(2),
      middle('micros').toFixed(0),
      middle('managerMicros').toFixed(0),
      middle('rss').toFixed(0),
      percent(middle('others')),
      percent(middle('core1')),
      errors,
    ];
  });
  const times = ['p50 ms', 'p99 ms', 'first byte ms'];
  const micros = ['CPU µs a call', 'manager µs', 'RSS MB', 'others on core 0', 'core 1 busy', 'errors'];
  printTable(['Target', 'req/s', 'of the pipe', ...times, ...micros], rows);
}

/** Compares the usage events in the enterprise manager with the answered calls. */
async function checkEvents({ scene, answered }) {
  const deadline = performance.now() + 120_000;
  let events = 0;
  while (performance.now() < deadline && (events = await scene.countEvents()) !== answered) await sleep(500);
  console.log(`\n${answered} calls were answered by the gateway; the enterprise manager has ${events} usage events`);
  if (events !== answered) process.exitCode = 1;
}

/** Measures the memory of open streams, of a process of its own. */
async function measureStreams(scene, count) {
  const provider = await startProvider(600, 1_000);
  const streamHome = join(home, 'streams');
  const gateway = await startGateway({ ...scene, home: streamHome }, provider);
  bench.onEnd(() => stop(gateway.child));
  const headers = `Authorization: Bearer ${scene.key}\r\n`;
  const { before, loaded, settled, opened } = await openStreams({ ...gateway, headers, model: MODEL, count });
  console.log(`\n### ${count} open streams\n`);
  printTable(
    ['open', 'RSS MB before', 'RSS MB after the opening', 'RSS MB 10 s later'],
    [[opened, before, loaded, settled]],
  );
}

// Usage: node tools/bench/usage-outbox.mjs [ROUNDS]
// Measures the usage outbox of the AI gateway in the working folder: ended attempts per second with
// 1, 16 and 50 callers that wait for their commit, beside bare fdatasync of the same disk in
// the same run; and the CPU time of the main thread for each attempt.
import { UsageOutbox } from '../../apps/ai-gateway/dist/settlement/usage-outbox.js';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { median, quantile } from './statistics.mjs';
import { printTable } from './table.mjs';

const CALLERS = [1, 16, 50];
const ROUND_MS = 2_000;
const FLUSHES = 300;
const rounds = Number(process.argv[2] ?? 3);

const createIntent = () => ({
  interaction_id: uuidv7(),
  attempt: 1,
  reservation_id: uuidv7(),
  event_time: new Date().toISOString(),
  principal: { virtual_key_id: '0199aaaa-0000-7000-8000-000000000000' },
  provider: 'openai',
  route: 'default',
  requested_model: 'gpt-5',
  model: 'gpt-5-2025-08-07',
  estimated_usage: { prompt_tokens: 120, completion_tokens: 8_192 },
});
const OUTCOME = {
  outcome: 'delivered',
  upstream_status: 200,
  duration_ms: 812,
  raw_usage: {
    prompt_tokens: 120,
    completion_tokens: 356,
    total_tokens: 476,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 64, audio_tokens: 0 },
  },
};

const folder = mkdtempSync(resolve('.usage-outbox-'));
const commits = [];
const { outbox } = await UsageOutbox.open({
  folder: join(folder, 'outbox'),
  gatewayId: 'local-ai',
  maxEvents: 10_000_000,
  onCommit: (seconds) => commits.push(seconds * 1_000),
});

/**
 * Writes pages with fdatasync to the end of a file, or over its pages, as the log of SQLite does
 * after its first checkpoint. @returns milliseconds of each
 */
function flushFile(isAppend) {
  const file = openSync(join(folder, 'bare'), isAppend ? 'a' : 'r+');
  const page = Buffer.alloc(4_096, 1);
  const times = Array.from({ length: FLUSHES }, (_, at) => {
    const begun = performance.now();
    writeSync(file, page, 0, page.length, isAppend ? undefined : at * page.length);
    fdatasyncSync(file);
    return performance.now() - begun;
  });
  closeSync(file);
  return times;
}

/** Callers that record one attempt after the other. */
async function record(callers) {
  commits.length = 0;
  const latencies = [];
  const begun = performance.now();
  const before = process.threadCpuUsage();
  const call = async () => {
    while (performance.now() - begun < ROUND_MS) {
      const intent = createIntent();
      const started = performance.now();
      outbox.begin(intent);
      await outbox.finish(intent, OUTCOME);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const { user, system } = process.threadCpuUsage(before);
  return { latencies, commits: [...commits], elapsed: performance.now() - begun, cpu: user + system };
}

/** Removes all events, as the delivery does. */
async function clear() {
  for (let batch = await outbox.readBatch(1_000); batch; batch = await outbox.readBatch(1_000))
    await outbox.settle(batch, []);
}

const [appends, overwrites] = [[], []];
const results = new Map(CALLERS.map((callers) => [callers, []]));
for (let round = 0; round < rounds; round += 1) {
  appends.push(...flushFile(true));
  overwrites.push(...flushFile(false));
  for (const callers of CALLERS) {
    results.get(callers).push(await record(callers));
    await clear();
  }
}
await outbox.close();
rmSync(folder, { recursive: true });

const show = (milliseconds) => milliseconds.toFixed(2);
for (const [name, times] of Object.entries({ append: appends, overwrite: overwrites }))
  console.log(`${name} with fdatasync, ms: p50 ${show(median(times))}, p99 ${show(quantile(times, 0.99))}`);
printTable(
  [
    'callers',
    'attempts/s',
    'commits/s',
    'commit p50 ms',
    'p99',
    'attempt p50 ms',
    'p99',
    'CPU of the main thread, µs/attempt',
  ],
  [...results].map(([callers, parts]) => {
    const elapsed = parts.reduce((total, part) => total + part.elapsed, 0);
    const latencies = parts.flatMap((part) => part.latencies);
    const durations = parts.flatMap((part) => part.commits);
    const cpu = parts.reduce((total, part) => total + part.cpu, 0);
    return [
      callers,
      Math.round((latencies.length / elapsed) * 1_000),
      Math.round((durations.length / elapsed) * 1_000),
      show(median(durations)),
      show(quantile(durations, 0.99)),
      show(median(latencies)),
      show(quantile(latencies, 0.99)),
      (cpu / latencies.length).toFixed(1),
    ];
  }),
);

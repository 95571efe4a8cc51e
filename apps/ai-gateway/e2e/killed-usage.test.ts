import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { drawNumber, drawValues, effort } from '@gatehouse/testing/effort';
import { eventually } from '@gatehouse/testing/eventually';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { UsageOutbox } from '../src/settlement/usage-outbox.ts';
import { createIntent, createOutcome } from '../src/settlement/usage.fixture.ts';
import type { UsageIntent, UsageOutcome } from '../src/settlement/usage-recorder.ts';
import { getKey, type ReceivedReport, startStrictManager, type StrictManager } from './support/strict-manager.ts';

const PROGRAM = fileURLToPath(new URL('support/killed-gateway.mjs', import.meta.url));
const KILL_POINTS = new URL('support/kill-points.mjs', import.meta.url).href;
const MAX_STEPS = 200;
const RANDOM_KILLS = 6 * effort;

/** A line of the log of a killed gateway. */
interface Line {
  readonly phase?: 'planned' | 'sent' | 'discarded' | 'ended' | 'finished' | 'done';
  readonly intent?: UsageIntent;
  readonly outcome?: UsageOutcome;
  readonly problem?: string;
}

/** What is known about an attempt. */
interface KnownAttempt {
  intent: UsageIntent;
  phase: string;
  outcome?: UsageOutcome | undefined;
}

const describeExact = ({ estimated_usage: _, ...facts }: UsageIntent, outcome: UsageOutcome) => ({
  ...facts,
  gateway_id: 'ai-a',
  ...outcome,
});

const describeOrphan = (intent: UsageIntent) => ({
  ...intent,
  gateway_id: 'ai-a',
  outcome: 'client_disconnect',
  upstream_status: 0,
  duration_ms: 0,
  raw_usage: null,
});

describe('usage of a gateway that is killed with SIGKILL', () => {
  let work: string;
  let manager: StrictManager;
  const processes: TestProcess[] = [];
  beforeEach(async () => {
    work = mkdtempSync(join(tmpdir(), 'gatehouse-usage-'));
    manager = await startStrictManager();
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((gateway) => gateway.killHard()));
    await manager.close();
    rmSync(work, { recursive: true });
  });

  const openOutbox = (folder: string) => UsageOutbox.open({ folder, gatewayId: 'ai-a', maxEvents: 100_000 });

  async function start(folder: string, log: string, schedule: string, killAt = ''): Promise<TestProcess> {
    const gateway = await startProcess({
      command: [process.execPath, '--disable-warning=ExperimentalWarning', '--import', KILL_POINTS, PROGRAM],
      args: [folder, manager.url, log, schedule],
      env: { KILL_AT: killAt },
    });
    processes.push(gateway);
    return gateway;
  }

  /** Delivers what a killed gateway left, as its next start does. */
  async function drain(folder: string): Promise<void> {
    const { outbox } = await openOutbox(folder);
    for (;;) {
      const batch = await outbox.readBatch(1_000);
      if (batch === undefined) break;
      manager.receive(JSON.parse(batch.reports) as ReceivedReport[]);
      await outbox.settle(batch, []);
    }
    await outbox.close();
  }

  const readLines = (log: string): Line[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Line)
      : [];

  function learn(lines: readonly Line[]): Map<string, KnownAttempt> {
    const known = new Map<string, KnownAttempt>();
    for (const { phase, intent, outcome } of lines)
      if (phase !== undefined && intent !== undefined) known.set(getKey(intent), { phase, intent, outcome });
    return known;
  }

  /** Checks the charges of all attempts. @returns the number of attempts in each state */
  function check(known: ReadonlyMap<string, KnownAttempt>): Record<string, number> {
    const seen: Record<string, number> = {};
    expect(manager.conflicts).toEqual([]);
    expect([...manager.charged.keys()].filter((key) => !known.has(key))).toEqual([]);
    for (const [key, { phase, intent, outcome }] of known) {
      const charge = manager.charged.get(key);
      const exact = outcome && describeExact(intent, outcome);
      const estimate = describeOrphan(intent);
      seen[phase] = (seen[phase] ?? 0) + 1;
      if (phase === 'planned') expect([undefined, estimate]).toContainEqual(charge);
      if (phase === 'sent') expect([estimate]).toContainEqual(charge);
      if (phase === 'ended') expect([exact, estimate]).toContainEqual(charge);
      if (phase === 'finished') expect(charge).toEqual(exact);
      if (phase === 'discarded') expect(charge).toBeUndefined();
    }
    return seen;
  }

  /** Creates an outbox with an orphan of an earlier process and with an event that waits. */
  async function createLeftOutbox(folder: string): Promise<Map<string, KnownAttempt>> {
    const { outbox } = await openOutbox(folder);
    const [orphan, waiting] = [createIntent(1), createIntent(2)];
    outbox.begin(orphan);
    outbox.begin(waiting);
    await outbox.finish(waiting, createOutcome());
    await outbox.close();
    return new Map([
      [getKey(orphan), { phase: 'sent', intent: orphan }],
      [getKey(waiting), { phase: 'finished', intent: waiting, outcome: createOutcome() }],
    ]);
  }

  it.each(['main', 'worker'])(
    'is charged exactly once for a kill before each step of the thread: %s',
    async (thread) => {
      const left = join(work, 'left');
      const known = await createLeftOutbox(left);
      let runs = 0;
      const run = async (step: number): Promise<boolean> => {
        runs += 1;
        const [folder, log] = [join(work, `run-${runs}`), join(work, `log-${runs}`)];
        cpSync(left, folder, { recursive: true });
        const gateway = await start(folder, log, 'steps', `${thread} ${step}`);
        const { signal } = await gateway.exited;
        expect([signal, gateway.stderr()]).toEqual(['SIGKILL', '']);
        await drain(folder);
        const lines = readLines(log);
        check(new Map([...known, ...learn(lines)]));
        (manager.charged as Map<string, unknown>).clear();
        return lines.some(({ phase }) => phase === 'done');
      };
      const steps = await findLast(run);
      for (const step of drawValues(
        `kill ${thread}`,
        Array.from({ length: steps }, (_, at) => at),
      ))
        await run(step);
      console.info(`the thread ${thread} has ${steps} steps`);
    },
    300_000,
  );

  /** Finds the number of steps of a run by bisection. */
  async function findLast(isDone: (step: number) => Promise<boolean>): Promise<number> {
    let [low, high] = [0, MAX_STEPS];
    expect(await isDone(high)).toBe(true);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await isDone(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  it('is charged exactly once for kills at random times and lost responses', async () => {
    const folder = join(work, 'folder');
    const log = join(work, 'log');
    let losses = 0;
    manager.losesResponse = () => drawNumber(`loss ${(losses += 1)}`) < 0.3;
    for (let kill = 0; kill < RANDOM_KILLS; kill += 1) {
      const before = readLines(log).length;
      const gateway = await start(folder, log, String(1 + Math.floor(drawNumber(`schedule ${kill}`) * 1e6)));
      await eventually(() => readLines(log).length > before, 'the gateway has begun attempts');
      await sleep(drawNumber(`kill ${kill}`) * 900);
      await gateway.killHard();
      expect(gateway.stderr()).toBe('');
    }
    await drain(folder);
    const lines = readLines(log);
    const seen = check(learn(lines));
    expect(lines.filter(({ problem }) => problem !== undefined)).toEqual([]);
    console.info(`${RANDOM_KILLS} kills left ${JSON.stringify(seen)}`);
    expect(Math.min(seen['finished'] ?? 0, seen['sent'] ?? 0)).toBeGreaterThan(0);
  }, 300_000);
});

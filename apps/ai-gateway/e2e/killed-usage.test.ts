import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { drawNumber, drawValues, effort } from '@gatehouse/testing/effort';
import { eventually } from '@gatehouse/testing/eventually';
import type { TestProcess } from '@gatehouse/testing/process';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIntent, createOutcome } from '../src/settlement/usage.fixture.ts';
import { getKey, startStrictManager, type StrictManager } from './support/strict-manager.ts';
import {
  checkCharges,
  drainOutbox,
  type KilledGateway,
  type KnownAttempt,
  learnAttempts,
  openOutbox,
  readLines,
  startGateway,
} from './support/usage-check.ts';

const MAX_STEPS = 200;
const RANDOM_KILLS = 6 * effort;
const MAX_FILE_KIB = 400;

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

  async function start(gateway: KilledGateway): Promise<TestProcess> {
    const started = await startGateway(manager, gateway);
    processes.push(started);
    return started;
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

  /** Finds the number of steps of a run by bisection. */
  async function countSteps(isDone: (step: number) => Promise<boolean>): Promise<number> {
    let [low, high] = [0, MAX_STEPS];
    expect(await isDone(high)).toBe(true);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await isDone(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
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
        const gateway = await start({ folder, log, schedule: 'steps', killAt: `${thread} ${step}` });
        const { signal } = await gateway.exited;
        expect([signal, gateway.stderr()]).toEqual(['SIGKILL', '']);
        await drainOutbox(manager, folder);
        const lines = readLines(log);
        checkCharges(manager, new Map([...known, ...learnAttempts(lines)]));
        manager.forget();
        return lines.some(({ phase }) => phase === 'done');
      };
      const steps = await countSteps(run);
      const all = Array.from({ length: steps }, (_, at) => at);
      for (const step of drawValues(`kill ${thread}`, all)) await run(step);
      console.info(`the thread ${thread} has ${steps} steps`);
    },
    300_000,
  );

  it('is charged exactly once for kills at random times and lost responses', async () => {
    const [folder, log] = [join(work, 'folder'), join(work, 'log')];
    let losses = 0;
    manager.losesResponse = () => drawNumber(`loss ${(losses += 1)}`) < 0.3;
    for (let kill = 0; kill < RANDOM_KILLS; kill += 1) {
      const before = readLines(log).length;
      const schedule = String(1 + Math.floor(drawNumber(`schedule ${kill}`) * 1e6));
      const gateway = await start({ folder, log, schedule });
      await eventually(() => readLines(log).length > before, 'the gateway has begun attempts');
      await sleep(drawNumber(`kill ${kill}`) * 900);
      await gateway.killHard();
      expect(gateway.stderr()).toBe('');
    }
    await drainOutbox(manager, folder);
    const lines = readLines(log);
    const seen = checkCharges(manager, learnAttempts(lines));
    expect(lines.filter(({ problem }) => problem !== undefined)).toEqual([]);
    console.info(`${RANDOM_KILLS} kills left ${JSON.stringify(seen)}`);
    expect(Math.min(seen['finished'] ?? 0, seen['sent'] ?? 0)).toBeGreaterThan(0);
  }, 300_000);

  it('is refused before it is sent while the disk is full, and recorded again afterwards', async () => {
    const [folder, log] = [join(work, 'folder'), join(work, 'log')];
    // The manager does not answer, so that the outbox grows.
    manager.losesResponse = () => true;
    const gateway = await start({ folder, log, schedule: 'fill', maxFileKib: MAX_FILE_KIB });
    const refused = await eventually(() => readLines(log).find(({ phase }) => phase === 'refused'), 'a refusal');
    expect(refused.reason).toMatch(/^The usage outbox failed: /);
    await sleep(500);
    execFileSync('prlimit', ['--pid', String(gateway.pid), '--fsize=unlimited:unlimited']);
    await eventually(() => readLines(log).some(({ phase }) => phase === 'done'), 'attempts are recorded again');
    await gateway.killHard();
    expect(gateway.stderr()).toBe('');
    await drainOutbox(manager, folder);
    const seen = checkCharges(manager, learnAttempts(readLines(log)));
    console.info(`a full disk left ${JSON.stringify(seen)}`);
    expect(Math.min(seen['finished'] ?? 0, seen['planned'] ?? 0)).toBeGreaterThan(0);
  }, 60_000);
});

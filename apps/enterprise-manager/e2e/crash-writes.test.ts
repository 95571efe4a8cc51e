import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import type { Moment } from '@gatehouse/testing/postgres-wire';
import { randomUUID } from 'node:crypto';
import { crashOperations } from './crash-operations.ts';
import {
  type WriteState,
  expectedState,
  readWriteState,
  type PreparedWrite,
  waitForPendingTransactions,
} from './crash-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { startReplica } from './replica.ts';

/** Minimum number of writes that are sent. */
const WRITES = 300 * effort;
/** Minimum number of processes that are killed: one at each moment of a COMMIT. */
const KILLS = 3;
/** Minimum number of acknowledged writes of each kind. */
const ACKNOWLEDGED = 3;
/** Number of writes that are prepared for one process. */
const PREPARED_WRITES = 160;
/** Number of writes that are sent at the same time. */
const CONCURRENCY = 8;

/** Kinds of writes that can run at the same time, each on its own objects. */
const kinds = crashOperations.filter(({ lock }) => lock === undefined || lock === 'graph of groups');

/** A write that was sent to a process. */
interface SentWrite {
  kind: string;
  prepared: PreparedWrite;
  requestId: string;
  acknowledged: boolean;
}

describe('processes that are killed with SIGKILL while they write', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  /** Prepares writes of all kinds, in an order that depends on the offset. */
  const prepareWrites = async (from: number): Promise<SentWrite[]> => {
    const ready: SentWrite[] = [];
    for (let at = 0; at < PREPARED_WRITES; at += CONCURRENCY) {
      const some = Array.from({ length: CONCURRENCY }, async (_, more) => {
        const kind = kinds[(from + (at + more) * 7) % kinds.length]!;
        const prepared = await kind.prepare(manager);
        return { kind: kind.name, prepared, requestId: randomUUID(), acknowledged: false };
      });
      ready.push(...(await Promise.all(some)));
    }
    return ready;
  };

  /** Sends writes to a process and kills it at a COMMIT. @returns the writes that were sent */
  const writeUntilKilled = async (ready: SentWrite[], occurrence: number, moment: Moment): Promise<SentWrite[]> => {
    const doomed = await startReplica(manager, { wired: true });
    const state = { killed: false };
    const sprung = doomed.wire!.arm({ text: 'COMMIT', occurrence, moment }, () => {
      state.killed = true;
      doomed.process.signal('SIGKILL');
    });
    const waiting = [...ready];
    const sent: SentWrite[] = [];
    const writer = async (): Promise<void> => {
      for (let write = waiting.pop(); write !== undefined && !state.killed; write = waiting.pop()) {
        sent.push(write);
        const { request } = write.prepared;
        write.acknowledged = await doomed
          .call({ ...request, headers: { ...request.headers, 'x-request-id': write.requestId } })
          .then(
            ({ status }) => status < 300,
            () => false,
          );
      }
    };
    await Promise.all([sprung, ...Array.from({ length: CONCURRENCY }, writer)]);
    await doomed.kill();
    await waitForPendingTransactions(manager);
    return sent;
  };

  it(
    'keep every acknowledged write and leave no write incomplete, in writes of all kinds',
    async () => {
      const moments: Moment[] = ['sent', 'after', 'before'];
      const tally = new Map(kinds.map(({ name }) => [name, { acknowledged: 0, whole: 0, nothing: 0 }]));
      const wrong: { kind: string; acknowledged: boolean; left: WriteState }[] = [];
      let [written, kills] = [0, 0];
      for (; written < WRITES || kills < KILLS; kills += 1) {
        const sent = await writeUntilKilled(await prepareWrites(written), 110 + 4 * kills, moments[kills % 3]!);
        for (const { kind, prepared, requestId, acknowledged } of sent) {
          const left = await readWriteState(manager, prepared, requestId);
          const of = kinds.find(({ name }) => name === kind) ?? {};
          const is = (happened: boolean) =>
            JSON.stringify(left) === JSON.stringify(expectedState(of, left.effects, happened));
          const whole = is(true);
          if (!whole && (acknowledged || !is(false))) wrong.push({ kind, acknowledged, left });
          const counted = tally.get(kind)!;
          counted.acknowledged += acknowledged ? 1 : 0;
          counted[whole ? 'whole' : 'nothing'] += 1;
        }
        written += sent.length;
      }
      expect(wrong).toEqual([]);
      const summary = [...tally].map(
        ([kind, { acknowledged, whole, nothing }]) =>
          `${kind}: ${acknowledged} acknowledged, ${whole} complete, ${nothing} without effect`,
      );
      console.info(`${written} writes to ${kills} processes that were killed:\n${summary.join('\n')}`);
      const sum = (of: 'acknowledged' | 'nothing') =>
        [...tally.values()].reduce((all, counted) => all + counted[of], 0);
      expect([...tally].filter(([, { acknowledged }]) => acknowledged < ACKNOWLEDGED)).toEqual([]);
      // Every process ends at a COMMIT, so at least one of its writes has no response.
      expect(written - sum('acknowledged')).toBeGreaterThanOrEqual(kills);
      // A write that ends before its COMMIT reaches Postgres has no effect.
      expect(sum('nothing')).toBeGreaterThanOrEqual(Math.floor(kills / 3));
    },
    300_000 * Math.max(1, effort / 4),
  );
});

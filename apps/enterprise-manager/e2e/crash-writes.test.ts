import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Moment } from '@gatehouse/testing/postgres-wire';
import { randomUUID } from 'node:crypto';
import { crashOperations } from './crash-operations.ts';
import { type Left, leftOf, look, type PreparedWrite, serverIsDone } from './crash-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { startReplica } from './replica.ts';

const WRITES = 1_000;
/** Writes that stand ready for one process, and those that it gets at a time. */
const READY = 160;
const AT_ONCE = 8;

/** Kinds of writes that any number of can be under way, on things of their own. */
const kinds = crashOperations.filter(({ lock }) => lock === undefined || lock === 'graph of groups');

/** A write that a process got. */
interface SentWrite {
  kind: string;
  prepared: PreparedWrite;
  requestId: string;
  acknowledged: boolean;
}

describe('processes that are killed with -9 while they write', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  /** Writes of all kinds, in an order that differs from one call to the next. */
  const prepare = async (from: number): Promise<SentWrite[]> => {
    const ready: SentWrite[] = [];
    for (let at = 0; at < READY; at += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, async (_, more) => {
        const kind = kinds[(from + (at + more) * 7) % kinds.length]!;
        const prepared = await kind.prepare(manager);
        return { kind: kind.name, prepared, requestId: randomUUID(), acknowledged: false };
      });
      ready.push(...(await Promise.all(some)));
    }
    return ready;
  };

  /** Sends writes to a process until it is killed at a COMMIT. @returns those that were sent */
  const writeUntilKilled = async (ready: SentWrite[], occurrence: number, moment: Moment): Promise<SentWrite[]> => {
    const doomed = await startReplica(manager, { wired: true });
    const life = { ended: false };
    const sprung = doomed.wire!.arm({ text: 'COMMIT', occurrence, moment }, () => {
      life.ended = true;
      doomed.process.signal('SIGKILL');
    });
    const waiting = [...ready];
    const sent: SentWrite[] = [];
    const writer = async (): Promise<void> => {
      for (let write = waiting.pop(); write !== undefined && !life.ended; write = waiting.pop()) {
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
    await Promise.all([sprung, ...Array.from({ length: AT_ONCE }, writer)]);
    await doomed.kill();
    await serverIsDone(manager);
    return sent;
  };

  it('loses nothing that it acknowledged, and leaves nothing half-written, in a thousand writes of all kinds', async () => {
    const moments: Moment[] = ['sent', 'after', 'before'];
    const tally = new Map(kinds.map(({ name }) => [name, { acknowledged: 0, whole: 0, nothing: 0 }]));
    const wrong: { kind: string; acknowledged: boolean; left: Left }[] = [];
    let [written, kills] = [0, 0];
    for (; written < WRITES; kills += 1) {
      const sent = await writeUntilKilled(await prepare(written), 110 + 4 * kills, moments[kills % 3]!);
      for (const { kind, prepared, requestId, acknowledged } of sent) {
        const left = await look(manager, prepared, requestId);
        const of = kinds.find(({ name }) => name === kind) ?? {};
        const is = (happened: boolean) => JSON.stringify(left) === JSON.stringify(leftOf(of, left.effects, happened));
        const whole = is(true);
        if (!whole && (acknowledged || !is(false))) wrong.push({ kind, acknowledged, left });
        const counted = tally.get(kind)!;
        counted.acknowledged += acknowledged ? 1 : 0;
        counted[whole ? 'whole' : 'nothing'] += 1;
      }
      written += sent.length;
    }
    expect(wrong).toEqual([]);
    const told = [...tally].map(
      ([kind, { acknowledged, whole, nothing }]) =>
        `${kind}: ${acknowledged} acknowledged, ${whole} there, ${nothing} not there`,
    );
    console.info(`${written} writes to ${kills} processes that were killed:\n${told.join('\n')}`);
    const sum = (of: 'acknowledged' | 'nothing') => [...tally.values()].reduce((all, counted) => all + counted[of], 0);
    expect([...tally].filter(([, { acknowledged }]) => acknowledged < 10)).toEqual([]);
    // Every process dies at a COMMIT, with a write under way that nobody acknowledges.
    expect(written - sum('acknowledged')).toBeGreaterThanOrEqual(kills);
    // Those that die before their COMMIT reached the server leave nothing.
    expect(sum('nothing')).toBeGreaterThanOrEqual(Math.floor(kills / 3));
  }, 300_000);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawNumber, effort } from '@gatehouse/testing/effort';
import type { Trap } from '@gatehouse/testing/postgres-wire';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitForPendingTransactions } from './crash-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { type InterruptedWrite, killScenes, type KillScene, Stage } from './ledger-kill-scenes.ts';
import { Observer } from './ledger-observer.ts';
import { Sender } from './ledger-sender.ts';
import { type Replica, startReplica } from './replica.ts';

/** Minimum number of killed processes. */
const KILLS = 8 * effort;
/** Number of writes of a killed process. Each is held at its own point. */
const WRITES = 6;
/** Number of processes at a time. */
const LANES = 3;
/**
 * Share of the kill points that are tested, besides those at COMMIT. The seed of the run chooses
 * them; an effort of 8 tests all.
 */
const SHARE = effort / 8;
const HOLD_TIMEOUT_MS = 30_000;

/** Statements that neither change nor lock rows. Some of them run only once in a process. */
const ONLY_READS = /^(?:START TRANSACTION|BEGIN|SELECT (?!.*FOR (?:NO KEY )?UPDATE))/i;

/** A point of a write at which the process is killed. */
interface KillPoint {
  scene: KillScene;
  name: string;
  trap: Trap;
  expected: 'whole' | 'nothing' | 'either';
}

/**
 * Each kind of write runs once without a kill, to record its transaction. Its kill points are: each
 * statement that changes or locks rows, after it was sent and after it has completed; and COMMIT,
 * before it was sent, after it was sent, and after it has completed. A process is killed during
 * several writes, each of which is held at its own point. Then the sender repeats the writes, and
 * the whole ledger is recomputed from the log of the sender.
 */
describe('the ledger, when a process is killed with SIGKILL', () => {
  let manager: TestManager;
  let clean: Replica;
  let stage: Stage;
  let observer: Observer;
  const hit = new Map<string, number>();
  let kills = 0;

  beforeAll(async () => {
    manager = await startManager({ environment: { ALLOW_LOOPBACK_UPSTREAMS: 'true' } });
    clean = await startReplica(manager, { wired: true });
    const sender = new Sender(manager.tokens.gateway, () => clean);
    stage = new Stage(manager, sender);
    observer = new Observer(manager.sql, sender, []);
    await stage.build();
  }, 120_000);
  afterAll(async () => {
    await clean.kill();
    await manager.close();
  });

  /** The kill points of a recorded transaction. */
  const pointsIn = (scene: KillScene, transaction: readonly string[]): KillPoint[] => {
    const commit = transaction.length - 1;
    const known = transaction.findIndex((text) => scene.marks.test(text));
    return transaction.flatMap((text, at): KillPoint[] => {
      if (ONLY_READS.test(text)) return [];
      const within = at < known ? text : transaction[known]!;
      const occurrence = transaction.slice(0, at + 1).filter((other) => other === text).length;
      const point = (moment: Trap['moment'], expected: KillPoint['expected']): KillPoint => ({
        ...{ scene, expected, trap: { text, occurrence, moment, within } },
        name: `${scene.name}: ${moment} ${at + 1}/${commit + 1} ${text.slice(0, 50)}`,
      });
      return at === commit
        ? [point('before', 'nothing'), point('sent', 'either'), point('after', 'whole')]
        : [point('sent', 'nothing'), point('after', 'nothing')];
    });
  };

  const findKillPoints = async (scene: KillScene): Promise<KillPoint[]> => {
    const write = await scene.prepare(stage);
    clean.wire!.forget();
    const response = await clean.call(write.request);
    expect([scene.name, response.status < 300, response.body]).toEqual([scene.name, true, expect.anything()]);
    const effects = await write.effects();
    expect([scene.name, effects]).toEqual([scene.name, effects.map(() => true)]);
    await write.finish();
    const own = clean.wire!.transactions().filter((texts) => texts.some((text) => scene.marks.test(text)));
    expect([scene.name, own.length >= 1, own[0]?.at(-1)]).toEqual([scene.name, true, 'COMMIT']);
    return pointsIn(scene, own[0]!).filter(isSelected);
  };

  /** Kills a new process during these writes, checks their effects, and repeats them. */
  const killAt = async (points: readonly KillPoint[]): Promise<void> => {
    const doomed = await startReplica(manager, { wired: true });
    const heldWrites: { point: KillPoint; write: InterruptedWrite; answered: Promise<string> }[] = [];
    for (const point of points) {
      const write = await point.scene.prepare(stage);
      const held = doomed.wire!.hold(point.trap).then(() => 'held');
      const answered = doomed.call(write.request).then(
        ({ status, body }) => `answered ${status} ${JSON.stringify(body)}`,
        () => 'unanswered',
      );
      const late = sleep(HOLD_TIMEOUT_MS, 'neither held nor answered', { ref: false });
      expect([point.name, await Promise.race([held, answered, late])]).toEqual([point.name, 'held']);
      heldWrites.push({ point, write, answered });
    }
    doomed.process.signal('SIGKILL');
    kills += 1;
    doomed.wire!.cut();
    for (const { point, answered } of heldWrites)
      expect([point.name, await answered]).toEqual([point.name, 'unanswered']);
    await doomed.kill();
    await waitForPendingTransactions(manager);
    for (const { point, write } of heldWrites) {
      const effects = await write.effects();
      const possible = { whole: [true], nothing: [false], either: [true, false] }[point.expected];
      expect(possible.map((happened) => JSON.stringify([point.name, effects.map(() => happened)]))).toContain(
        JSON.stringify([point.name, effects]),
      );
      await write.finish();
      hit.set(point.name, (hit.get(point.name) ?? 0) + 1);
    }
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
    expect(stage.sender.problems).toEqual([]);
  };

  it(
    'loses no write and counts no write twice, at each kill point',
    async () => {
      const perScene: KillPoint[][] = [];
      for (const scene of killScenes) perScene.push(await findKillPoints(scene));
      const named = perScene.flat();
      // The kinds alternate, so that a process is killed during writes of different kinds.
      const waiting: KillPoint[] = [];
      for (let at = 0; waiting.length < Math.max(named.length, KILLS * WRITES); at += 1)
        for (const points of perScene)
          if (at < points.length || waiting.length >= named.length) waiting.push(points[at % points.length]!);
      const lane = async () => {
        while (waiting.length > 0) await killAt(waiting.splice(0, WRITES));
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      expect([...hit.keys()].sort()).toEqual([...new Set(named.map(({ name }) => name))].sort());
      expect(kills).toBeGreaterThanOrEqual(KILLS);
      await recompute();
    },
    400_000 * Math.max(1, effort / 4),
  );

  it('releases expired reservations once, at each kill point', async () => {
    const sweeping: KillScene = {
      name: 'expiry',
      marks: /UPDATE reservations .*released_at/,
      prepare: () => Promise.reject(new Error('not used')),
    };
    // Every running process releases expired reservations, so only one runs from now on.
    await clean.kill();
    await manager.stop();
    const expireOne = async (replica: Replica) => {
      clean = replica;
      const { reservation_id } = await stage.admit();
      await manager.sql('UPDATE reservations SET expires_at = now() WHERE id = $1', [reservation_id]);
      return () => stage.is('(SELECT released_at IS NOT NULL FROM reservations WHERE id = $1)', reservation_id);
    };
    const first = await startReplica(manager, { wired: true });
    first.wire!.forget();
    const done = await expireOne(first);
    while (!(await done())) await sleep(20);
    // Other connections see a commit before the wire sees its answer.
    let swept: readonly string[] | undefined;
    while (swept === undefined) {
      await sleep(20);
      swept = first.wire!.transactions().find((texts) => texts.some((text) => sweeping.marks.test(text)));
    }
    expect(swept.at(-1)).toBe('COMMIT');
    await first.kill();
    for (const point of pointsIn(sweeping, swept).filter(
      (listed) =>
        (listed.trap.within !== listed.trap.text || sweeping.marks.test(listed.trap.text)) && isSelected(listed),
    )) {
      const doomed = await startReplica(manager, { wired: true });
      const over = `EXISTS (SELECT FROM reservations WHERE released_at IS NULL AND expires_at <= now())`;
      while (await stage.is(over)) await sleep(20);
      const held = doomed.wire!.hold(point.trap);
      const released = await expireOne(doomed);
      await held;
      doomed.process.signal('SIGKILL');
      kills += 1;
      doomed.wire!.cut();
      await doomed.kill();
      await waitForPendingTransactions(manager);
      const after = await released();
      expect([
        point.name,
        { whole: [true], nothing: [false], either: [true, false] }[point.expected].includes(after),
      ]).toEqual([point.name, true]);
      expect(await ledgerDifferences(manager.sql)).toEqual([]);
      hit.set(point.name, 1);
    }
    clean = await startReplica(manager, { wired: true });
    await recompute();
    await manager.sql('UPDATE reservations SET expires_at = now() WHERE released_at IS NULL');
    while (await stage.is('EXISTS (SELECT FROM budget_cells WHERE reserved_usd <> 0)')) await sleep(50);
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
    const kinds = new Map<string, number>();
    for (const [name, times] of hit) kinds.set(name.split(':')[0]!, (kinds.get(name.split(':')[0]!) ?? 0) + times);
    const writes = [...hit.values()].reduce((sum, times) => sum + times);
    console.info(
      `${kills} kills during ${writes} writes at ${hit.size} points: ${[...kinds].map(([kind, times]) => `${kind} ${times}`).join(', ')}`,
    );
  }, 300_000);

  /** Compares the ledger with the log of the sender. */
  const recompute = async (): Promise<void> => {
    await stage.sender.settleAll();
    expect(stage.sender.problems).toEqual([]);
    expect(await observer.findDifferences()).toEqual([]);
    expect(await observer.findLost(true)).toEqual([]);
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
    const [row] = await manager.sql<{ charged: string; used: string }>(
      `SELECT (SELECT sum(charged_usd) * 1e9 FROM charges)::bigint::text AS charged,
         (SELECT sum(used_usd) * 1e9 FROM budget_cells WHERE period = 'day')::bigint::text AS used`,
    );
    const owed = [...stage.sender.log.values()].reduce((sum, { price }) => sum + (price ?? 0n), 0n).toString();
    expect(row).toEqual({ charged: owed, used: owed });
  };
});

/** Whether this run tests the kill point: always at COMMIT, else by the seed. */
const isSelected = ({ trap, name }: KillPoint): boolean => trap.text === 'COMMIT' || drawNumber(name) < SHARE;

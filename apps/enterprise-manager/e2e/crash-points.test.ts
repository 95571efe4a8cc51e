import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import type { Moment } from '@gatehouse/testing/postgres-wire';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { crashOperations } from './crash-operations.ts';
import { type CrashOperation, leftOf, look, type PreparedWrite, serverIsDone } from './crash-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';

/** Processes that are being killed at a time. */
const LANES = 3;
/**
 * Writes that one of them is killed in: fewer than it has connections to its database, some of
 * which it needs for itself.
 */
const WRITES = 6;
/**
 * Share of the points that are taken besides those at COMMIT. The seed of the run chooses them; an
 * effort of 4 takes all.
 */
const SHARE = effort / 4;
/** Longest time in which a write comes to its point, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Statements of tasks that a replica does by itself, such as deliveries of alerts. They belong to
 * no write.
 */
const BY_ITSELF = /^\/\* [a-z ]+, by itself \*\//;

/** Where a process is killed: at one statement of one operation. */
interface CrashPoint {
  operation: CrashOperation;
  name: string;
  text: string;
  occurrence: number;
  moment: Moment;
  /**
   * The statement before it: only in the transaction that made it is this the write's own COMMIT,
   * and not one that the replica makes by itself.
   */
  within?: string;
  /** Whether the write must have happened by then, must not have, or may have. */
  expected: 'whole' | 'nothing' | 'either';
}

/** A write that stands still at its point. */
interface StandingWrite {
  point: CrashPoint;
  write: PreparedWrite;
  requestId: string;
  answered: Promise<string>;
}

/**
 * What begins a transaction or only waits: every transaction of a replica can have it, and nothing
 * has happened yet that the next point would not show.
 */
const ONLY_BEGINS = /^(?:START TRANSACTION|BEGIN|SET |SELECT pg_advisory_)/i;

/**
 * Statements without an effect of their own: one process dies after each of them, whichever
 * operation makes it. All others are points of each operation.
 */
const HAS_NO_EFFECT = /^SELECT (?!.*FOR (?:NO KEY )?UPDATE)/i;

/**
 * When a token was last used is written beside the write, and at most once a minute: no part of it.
 */
const WRITES_LAST_USE = /UPDATE scim_tokens\b.*\blast_used_at/i;

/**
 * Whether the caller is active is asked before the write, at most twice a second for each person:
 * no part of it. All writes of the person in this process wait for one answer.
 */
const ASKS_ABOUT_CALLER = /^SELECT NOT COALESCE\(\s*\(SELECT active FROM users\b/i;

/**
 * Each operation is made once, undisturbed, to see its statements. Its points are: after every
 * statement that has an effect or locks rows to have one; COMMIT sent, its answer unseen; and
 * COMMIT done, the write not acknowledged. What only reads is a point once for each different text,
 * with the first operation that makes it: after it the database is the same for every operation,
 * and so is what a kill leaves.
 *
 * A process dies in several writes at once: each of them stands still at its own point, on a
 * connection of its own, while the next one is led to its.
 */
describe('a process that is killed with -9', () => {
  /** The replica that nobody kills: it prepares and looks afterwards. */
  let manager: TestManager;
  /** Statements that every replica makes by itself, whoever calls it. */
  let background: Set<string>;
  let clean: Replica;
  const hit: string[] = [];

  beforeAll(async () => {
    manager = await startManager({ discoverable: true });
    clean = await replica();
    clean.wire!.forget();
    await sleep(1_500);
    background = new Set(clean.wire!.statements());
  }, 60_000);
  afterAll(async () => {
    await clean.kill();
    await manager.close();
    console.info(`killed at ${hit.length} points:\n${hit.join('\n')}`);
  });

  const replica = (): Promise<Replica> => startReplica(manager, { wired: true });

  /** Makes the write once, undisturbed, and lists the points at which it can be killed. */
  const pointsOf = async (operation: CrashOperation): Promise<CrashPoint[]> => {
    const write = await operation.prepare(manager);
    const requestId = randomUUID();
    const before = await look(manager, write, requestId);
    expect([operation.name, before]).toEqual([operation.name, leftOf(operation, before.effects, false)]);
    clean.wire!.forget();
    const answer = await clean.call(withId(write, requestId));
    expect([operation.name, answer.status < 300, answer.body]).toEqual([operation.name, true, expect.anything()]);
    const after = await look(manager, write, requestId);
    expect([operation.name, after]).toEqual([operation.name, leftOf(operation, after.effects, true)]);
    const notPart = [WRITES_LAST_USE, ASKS_ABOUT_CALLER, BY_ITSELF];
    const isPart = (text: string) => !background.has(text) && !notPart.some((pattern) => pattern.test(text));
    const made = clean.wire!.statements().filter(isPart);
    const recorded = operation.unaudited
      ? made.lastIndexOf('COMMIT') - 1
      : made.findLastIndex((text) => text.startsWith('INSERT INTO audit_events'));
    const commit = made.indexOf('COMMIT', recorded);
    expect([operation.name, recorded >= 0 && commit > recorded]).toEqual([operation.name, true]);
    const own = clean
      .wire!.transactions()
      .find((texts) => texts.at(-1) === 'COMMIT' && texts.includes(made[recorded]!));
    const beside = besideOf(made.slice(0, commit), own?.filter(isPart) ?? []);
    const statements = operation.endsWithCommit ? made.slice(0, commit + 1) : made;
    return statements.flatMap((text, at): CrashPoint[] => {
      const occurrence = statements.slice(0, at + 1).filter((other) => other === text).length;
      const name = `${at + 1}/${statements.length} ${text.slice(0, 60)}`;
      const before = statements.findLast((_, other) => other < at && !beside.has(other));
      const place = text === 'COMMIT' && before !== undefined ? { occurrence: 1, within: before } : { occurrence };
      const point = (moment: Moment, expected: CrashPoint['expected']): CrashPoint => ({
        ...{ operation, text, ...place, moment, expected },
        name: `${operation.name}: ${moment} ${name}`,
      });
      const done = point('after', beside.has(at) ? 'either' : at < commit ? 'nothing' : 'whole');
      // Before COMMIT is where the statement before it has ended.
      return text === 'COMMIT' ? [point('sent', 'either'), done] : [done];
    });
  };

  /** Leads a write to its point, where it stands still. */
  const leadTo = async (doomed: Replica, point: CrashPoint): Promise<StandingWrite> => {
    const write = await point.operation.prepare(manager);
    const requestId = randomUUID();
    const held = doomed.wire!.hold(point).then(() => 'held');
    const answered = doomed.call(withId(write, requestId)).then(
      ({ status, body }) => `answered ${status} ${JSON.stringify(body)}`,
      () => 'unanswered',
    );
    const late = sleep(PATIENCE_MS, 'neither held nor answered', { ref: false });
    expect([point.name, await Promise.race([held, answered, late])]).toEqual([point.name, 'held']);
    return { point, write, requestId, answered };
  };

  /** Kills a fresh process at all these points, and looks at what is left of the writes. */
  const killAt = async (points: CrashPoint[]): Promise<void> => {
    const doomed = await replica();
    const standing: StandingWrite[] = [];
    for (const point of points) standing.push(await leadTo(doomed, point));
    doomed.process.signal('SIGKILL');
    doomed.wire!.cut();
    for (const { point, answered } of standing)
      expect([point.name, await answered]).toEqual([point.name, 'unanswered']);
    await doomed.kill();
    await serverIsDone(manager);
    for (const { point, write, requestId } of standing) {
      const left = await look(manager, write, requestId);
      const whole = leftOf(point.operation, left.effects, true);
      const nothing = leftOf(point.operation, left.effects, false);
      const possible = { whole: [whole], nothing: [nothing], either: [whole, nothing] }[point.expected];
      const told = (state: object) => JSON.stringify([point.name, state]);
      expect(possible.map(told)).toContain(told(left));
      hit.push(point.name);
    }
  };

  it('leaves each write whole or not made, wherever in it the process dies', async () => {
    const known = new Set<string>();
    const waiting: CrashPoint[] = [];
    for (const operation of crashOperations) {
      const points = (await pointsOf(operation)).filter(
        (point) =>
          !ONLY_BEGINS.test(point.text) &&
          (!HAS_NO_EFFECT.test(point.text) || !known.has(point.text)) &&
          isTaken(point),
      );
      for (const { text } of points) known.add(text);
      waiting.push(...points);
    }
    const names = waiting.map(({ name }) => name);
    expect(names.filter((name) => !name.endsWith(' COMMIT')).length).toBeGreaterThan(0);
    /** Operations of the points that stand still, or are led there. */
    const standing: CrashOperation[] = [];
    const inTheWay = ({ lock, shares }: CrashOperation) =>
      standing.some(
        (other) =>
          (lock !== undefined && (other.lock === lock || other.shares?.includes(lock) === true)) ||
          (other.lock !== undefined && shares?.includes(other.lock) === true),
      );
    /** The next points that can stand still at once. */
    const next = (): CrashPoint[] => {
      const taken: CrashPoint[] = [];
      for (const point of [...waiting]) {
        if (taken.length === WRITES || inTheWay(point.operation)) continue;
        standing.push(point.operation);
        waiting.splice(waiting.indexOf(point), 1);
        taken.push(point);
      }
      return taken;
    };
    const lane = async (): Promise<void> => {
      while (waiting.length > 0) {
        const points = next();
        if (points.length === 0) await sleep(20);
        else await killAt(points);
        for (const { operation } of points) standing.splice(standing.indexOf(operation), 1);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect([...hit].sort()).toEqual(names.sort());
    for (const operation of crashOperations) {
      const own = names.filter((name) => name.startsWith(`${operation.name}: `));
      const commits = own.filter((name) => name.endsWith(' COMMIT'));
      expect([operation.name, commits.length >= 2]).toEqual([operation.name, true]);
    }
  }, 1_200_000);
});

/** Whether this run kills a process at the point: always at COMMIT, at others by the seed. */
function isTaken({ text, name }: CrashPoint): boolean {
  if (text === 'COMMIT') return true;
  return createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() < SHARE * 2 ** 32;
}

/**
 * Which of the statements that were completed before a COMMIT are, since its transaction began,
 * none of that transaction: the replica made them by itself. Postgres announces a commit to others
 * of its connections before the one that made it has its answer, so what is read then may have been
 * committed.
 */
function besideOf(statements: readonly string[], transaction: readonly string[]): Set<number> {
  const beside = new Set<number>();
  let place = 0;
  for (const [at, text] of statements.entries()) {
    if (text === transaction[place]) place += 1;
    else if (place > 0) beside.add(at);
  }
  return beside;
}

const withId = ({ request }: PreparedWrite, requestId: string) => ({
  ...request,
  headers: { ...request.headers, 'x-request-id': requestId },
});

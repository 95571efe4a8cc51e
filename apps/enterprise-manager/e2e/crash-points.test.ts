import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawNumber, effort } from '@gatehouse/testing/effort';
import type { Moment } from '@gatehouse/testing/postgres-wire';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { crashOperations } from './crash-operations.ts';
import {
  type CrashOperation,
  expectedState,
  readWriteState,
  type PreparedWrite,
  waitForPendingTransactions,
} from './crash-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';

/** Number of processes that the test kills at the same time. */
const LANES = 2;
/**
 * Number of writes that are stopped in one process. It is smaller than the number of its database
 * connections, because the process needs some for its background tasks.
 */
const WRITES = 7;
/** Number of them that are chosen first from the crash points at COMMIT. */
const COMMITS = 5;
/**
 * Share of the crash points that are tested, besides those after a COMMIT. The seed of the run
 * chooses them; an effort of 12 tests all.
 */
const SHARE = effort / 12;
/** Longest time in which a write reaches its crash point, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** Statements of background tasks of a replica, such as deliveries of alerts. */
const BACKGROUND_STATEMENT = /^\/\* [a-z ]+, by itself \*\//;

/** The place where a process is killed: a statement of an operation. */
interface CrashPoint {
  operation: CrashOperation;
  name: string;
  text: string;
  occurrence: number;
  moment: Moment;
  /**
   * The statement before a COMMIT. It tells the COMMIT of the write from the commits of background
   * tasks.
   */
  within?: string;
  /** Whether the write must be visible after the kill (`whole`), must not, or may be. */
  expected: 'whole' | 'nothing' | 'either';
}

/** A write that is stopped at its crash point. */
interface StoppedWrite {
  point: CrashPoint;
  write: PreparedWrite;
  requestId: string;
  answered: Promise<string>;
}

/**
 * Statements that start a transaction or take an advisory lock. They need no crash point: the point
 * after the next statement covers them.
 */
const STARTS_TRANSACTION = /^(?:START TRANSACTION|BEGIN|SET |SELECT pg_advisory_)/i;

/**
 * Statements without an effect. Each different text is one crash point for all operations; the
 * other statements are crash points of each operation.
 */
const HAS_NO_EFFECT = /^SELECT (?!.*FOR (?:NO KEY )?UPDATE)/i;

/** Records the last use of a token, at most once a minute. It is not part of a write. */
const WRITES_LAST_USE = /UPDATE scim_tokens\b.*\blast_used_at/i;

/**
 * Reads whether the caller is active, at most twice a second for each user. It is not part of a
 * write: all requests of the user wait for one result.
 */
const READS_CALLER_STATE = /^SELECT NOT COALESCE\(\s*\(SELECT active FROM users\b/i;

/**
 * The test runs each operation once without a kill and records its statements. A process is killed
 * after each statement that changes or locks rows, between COMMIT and its result, and between that
 * result and the response.
 *
 * One kill ends several writes: each of them is stopped at its own crash point on its own database
 * connection.
 */
describe('a process that is killed with SIGKILL', () => {
  /** The replica that stays alive. It prepares the writes and reads their effects. */
  let manager: TestManager;
  /** Statements of the background tasks of every replica. */
  let background: Set<string>;
  let undisturbed: Replica;
  const hit: string[] = [];
  let kills = 0;

  beforeAll(async () => {
    manager = await startManager({ discoverable: true });
    undisturbed = await replica();
    undisturbed.wire!.forget();
    await sleep(1_500);
    background = new Set(undisturbed.wire!.statements());
  }, 60_000);
  afterAll(async () => {
    await undisturbed.kill();
    await manager.close();
    console.info(`killed ${kills} processes at ${hit.length} points:\n${hit.join('\n')}`);
  });

  const replica = (): Promise<Replica> => startReplica(manager, { wired: true });

  /** Runs the write once without a kill and lists its crash points. */
  const findCrashPoints = async (operation: CrashOperation): Promise<CrashPoint[]> => {
    const write = await operation.prepare(manager);
    const requestId = randomUUID();
    const before = await readWriteState(manager, write, requestId);
    expect([operation.name, before]).toEqual([operation.name, expectedState(operation, before.effects, false)]);
    undisturbed.wire!.forget();
    const response = await undisturbed.call(withId(write, requestId));
    expect([operation.name, response.status < 300, response.body]).toEqual([operation.name, true, expect.anything()]);
    const after = await readWriteState(manager, write, requestId);
    expect([operation.name, after]).toEqual([operation.name, expectedState(operation, after.effects, true)]);
    const otherStatements = [WRITES_LAST_USE, READS_CALLER_STATE, BACKGROUND_STATEMENT];
    const isPart = (text: string) => !background.has(text) && !otherStatements.some((pattern) => pattern.test(text));
    const made = undisturbed.wire!.statements().filter(isPart);
    const recorded = operation.unaudited
      ? made.lastIndexOf('COMMIT') - 1
      : made.findLastIndex((text) => text.startsWith('INSERT INTO "audit_events"'));
    const commit = made.indexOf('COMMIT', recorded);
    expect([operation.name, recorded >= 0 && commit > recorded]).toEqual([operation.name, true]);
    const own = undisturbed
      .wire!.transactions()
      .find((texts) => texts.at(-1) === 'COMMIT' && texts.includes(made[recorded]!));
    const concurrent = findConcurrentStatements(made.slice(0, commit), own?.filter(isPart) ?? []);
    const statements = operation.endsWithCommit ? made.slice(0, commit + 1) : made;
    return statements.flatMap((text, at): CrashPoint[] => {
      const occurrence = statements.slice(0, at + 1).filter((other) => other === text).length;
      const name = `${at + 1}/${statements.length} ${text.slice(0, 60)}`;
      const before = statements.findLast((_, other) => other < at && !concurrent.has(other));
      const place = text === 'COMMIT' && before !== undefined ? { occurrence: 1, within: before } : { occurrence };
      const point = (moment: Moment, expected: CrashPoint['expected']): CrashPoint => ({
        ...{ operation, text, ...place, moment, expected },
        name: `${operation.name}: ${moment} ${name}`,
      });
      const done = point('after', concurrent.has(at) ? 'either' : at < commit ? 'nothing' : 'whole');
      // The point after the previous statement is the point before COMMIT.
      return text === 'COMMIT' ? [point('sent', 'either'), done] : [done];
    });
  };

  /** Sends a write and waits until it is stopped at its crash point. */
  const stopAt = async (doomed: Replica, point: CrashPoint): Promise<StoppedWrite> => {
    const write = await point.operation.prepare(manager);
    const requestId = randomUUID();
    const held = doomed.wire!.hold(point).then(() => 'held');
    const answered = doomed.call(withId(write, requestId)).then(
      ({ status, body }) => `answered ${status} ${JSON.stringify(body)}`,
      () => 'unanswered',
    );
    const late = sleep(MAX_WAIT_MS, 'neither held nor answered', { ref: false });
    expect([point.name, await Promise.race([held, answered, late])]).toEqual([point.name, 'held']);
    return { point, write, requestId, answered };
  };

  /** Kills a new process at all these points and checks the effects of the writes. */
  const killAt = async (points: CrashPoint[]): Promise<void> => {
    const doomed = await replica();
    const standing: StoppedWrite[] = [];
    for (const point of points) standing.push(await stopAt(doomed, point));
    doomed.process.signal('SIGKILL');
    kills += 1;
    doomed.wire!.cut();
    for (const { point, answered } of standing)
      expect([point.name, await answered]).toEqual([point.name, 'unanswered']);
    await doomed.kill();
    await waitForPendingTransactions(manager);
    for (const { point, write, requestId } of standing) {
      const left = await readWriteState(manager, write, requestId);
      const whole = expectedState(point.operation, left.effects, true);
      const nothing = expectedState(point.operation, left.effects, false);
      const possible = { whole: [whole], nothing: [nothing], either: [whole, nothing] }[point.expected];
      const describeState = (state: object) => JSON.stringify([point.name, state]);
      expect(possible.map(describeState)).toContain(describeState(left));
      hit.push(point.name);
    }
  };

  it('leaves each write complete or without effect, wherever the process ends', async () => {
    const known = new Set<string>();
    const waiting: CrashPoint[] = [];
    for (const operation of crashOperations) {
      const points = (await findCrashPoints(operation)).filter(
        (point) =>
          !STARTS_TRANSACTION.test(point.text) &&
          (!HAS_NO_EFFECT.test(point.text) || !known.has(point.text)) &&
          isSelected(point),
      );
      for (const { text } of points) known.add(text);
      waiting.push(...points);
    }
    const names = waiting.map(({ name }) => name);
    // Few of the first can share a process, so the others fill their processes.
    waiting.sort((one, other) => Number(isConstrained(other)) - Number(isConstrained(one)));
    expect(names.filter((name) => !name.endsWith(' COMMIT')).length).toBeGreaterThan(0);
    /** Crash points that are in progress, of all processes. */
    const standing: CrashPoint[] = [];
    /** Removes and returns the next crash points that one process can be stopped at, in order. */
    const next = (): CrashPoint[] => {
      const taken: CrashPoint[] = [];
      const take = (count: number, candidates: readonly CrashPoint[]): void => {
        for (const point of candidates) {
          if (taken.length === count) return;
          if (standing.some((other) => sharesLock(other, point))) continue;
          if (taken.some((other) => isBlockedBy(point, other))) continue;
          waiting.splice(waiting.indexOf(point), 1);
          taken.push(point);
        }
      };
      take(
        COMMITS,
        waiting.filter(({ text }) => text === 'COMMIT'),
      );
      take(WRITES, [...waiting]);
      standing.push(...taken);
      return taken;
    };
    const lane = async (): Promise<void> => {
      while (waiting.length > 0) {
        const points = next();
        if (points.length === 0) await sleep(20);
        else await killAt(points);
        for (const point of points) standing.splice(standing.indexOf(point), 1);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect([...hit].sort()).toEqual(names.sort());
    for (const operation of crashOperations) {
      const own = names.filter((name) => name.startsWith(`${operation.name}: `));
      const commits = own.filter((name) => name.endsWith(' COMMIT'));
      expect([operation.name, commits.length >= 1]).toEqual([operation.name, true]);
    }
  }, 1_200_000);
});

/**
 * Whether this run tests the crash point: always after a COMMIT, where a write with two
 * transactions is incomplete, else by the seed.
 */
const isSelected = ({ text, moment, name }: CrashPoint): boolean =>
  (text === 'COMMIT' && moment === 'after') || drawNumber(name) < SHARE;

/** Whether the write needs its lock without any other write. */
const isConstrained = ({ text, operation }: CrashPoint): boolean =>
  operation.lock !== undefined && (text !== 'COMMIT' || operation.isExclusive === true);

/** Whether one of the writes holds a lock that the other takes. */
const sharesLock = ({ operation: one }: CrashPoint, { operation: other }: CrashPoint): boolean =>
  (one.lock !== undefined && (one.lock === other.lock || other.shares?.includes(one.lock) === true)) ||
  (other.lock !== undefined && one.shares?.includes(other.lock) === true);

/**
 * Whether a write cannot follow another one that is stopped in the same process. After its COMMIT
 * a write holds no lock, so a write of other objects can follow.
 */
const isBlockedBy = (point: CrashPoint, stopped: CrashPoint): boolean =>
  sharesLock(point, stopped) &&
  (stopped.text !== 'COMMIT' || stopped.operation.isExclusive === true || point.operation.isExclusive === true);

/**
 * Finds the statements that ran during a transaction on other connections. Postgres shows a commit
 * to other connections before the committing client has its result, so after these statements the
 * write may be visible or not.
 */
function findConcurrentStatements(statements: readonly string[], transaction: readonly string[]): Set<number> {
  const concurrent = new Set<number>();
  let place = 0;
  for (const [at, text] of statements.entries()) {
    if (text === transaction[place]) place += 1;
    else if (place > 0) concurrent.add(at);
  }
  return concurrent;
}

const withId = ({ request }: PreparedWrite, requestId: string) => ({
  ...request,
  headers: { ...request.headers, 'x-request-id': requestId },
});

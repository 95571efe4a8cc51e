import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Revisions } from './revisions.ts';
import { StateDatabase } from './state-database.ts';
import { StateBusyError } from './state-errors.ts';
import { WriteQueue } from './write-queue.ts';

/** Transactions without a database. They record what is committed together. */
class FakeTransactions {
  readonly commits: number[] = [];
  isLost = false;
  busyAttempts = 0;

  transact<T>(work: () => T): T {
    if ((this.busyAttempts -= 1) >= 0) throw new StateBusyError('/resources', undefined);
    this.commits.push(0);
    return work();
  }

  runPart<T>(work: () => T): PromiseSettledResult<T> {
    try {
      const value = work();
      this.commits.push((this.commits.pop() ?? 0) + 1);
      return { status: 'fulfilled', value };
    } catch (reason) {
      if (this.isLost) throw reason;
      return { status: 'rejected', reason };
    }
  }
}

const fail = (): never => {
  throw new Error('refused');
};

describe('WriteQueue', () => {
  let transactions: FakeTransactions;
  let queue: WriteQueue;
  beforeEach(() => {
    transactions = new FakeTransactions();
    queue = new WriteQueue(transactions);
  });

  it('commits the writes of one turn together, and gives each its own result', async () => {
    const writes = [1, 2, 3].map((result) => queue.add(() => result, undefined));
    const refused = queue.add(fail, undefined);
    await expect(refused).rejects.toThrow('refused');
    expect(await Promise.all(writes)).toEqual([1, 2, 3]);
    expect(transactions.commits).toEqual([3]);
  });

  it('performs a write that is added at any moment after the one before', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      await queue.add(() => turns, undefined);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      expect(await queue.add(() => 'done', undefined)).toBe('done');
    }
  });

  it('fails all writes of a commit that an error ended', async () => {
    transactions.isLost = true;
    const written = queue.add(() => 1, undefined);
    const refused = queue.add(fail, undefined);
    expect(await Promise.allSettled([written, refused])).toEqual([
      expect.objectContaining({ status: 'rejected' }),
      expect.objectContaining({ status: 'rejected' }),
    ]);
  });

  it('waits while another process has the lock', async () => {
    transactions.busyAttempts = 3;
    expect(await queue.add(() => 1, undefined)).toBe(1);
  });

  it('does not perform a write whose caller has aborted it', async () => {
    const stopping = new AbortController();
    transactions.busyAttempts = 3;
    const aborted = queue.add(() => 'performed', stopping.signal);
    const kept = queue.add(() => 'performed', undefined);
    stopping.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    expect(await kept).toBe('performed');
    expect(transactions.commits).toEqual([1]);
  });
});

describe('StateDatabase.write', () => {
  let folder: string;
  let database: StateDatabase;
  let revisions: Revisions;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-state-'));
    database = StateDatabase.open(join(folder, '.state', 'resources.db'), 1);
    revisions = new Revisions(database);
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const append = (name: string): void => {
    const metadata = { name, namespace: 'gatehouse', uid: name, generation: 1, creationTimestamp: '' };
    revisions.append({ apiVersion: 'gatehouse.dev/v1alpha1', kind: 'AIPolicy', metadata, spec: {} }, false, 0);
  };

  it('undoes the write that fails, and keeps the others of its commit', async () => {
    const first = database.write(() => append('first'));
    const failed = database.write(() => {
      append('failed');
      fail();
    });
    const last = database.write(() => append('last'));
    await expect(failed).rejects.toThrow('refused');
    await Promise.all([first, last]);
    const { latest } = revisions.readVersions();
    const names = [...revisions.list('AIPolicy', latest, '')].map(({ metadata }) => metadata.name);
    expect([names, latest]).toEqual([['first', 'last'], 3]);
  });
});

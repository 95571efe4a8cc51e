import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Trap } from '@gatehouse/testing/postgres-wire';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openValue, type SealedValue } from '@gatehouse/envelope/sealed-value';
import { parseKeyRing } from '@gatehouse/envelope/key-ring';
import { getContext } from '../src/secrets/managed-secrets/managed-secret.ts';
import { waitForPendingTransactions } from './crash-scene.ts';
import { createEnvironment, startManager, type TestManager } from './enterprise-manager.ts';
import { startReplica } from './replica.ts';
import { makeSecret } from './secret-scene.ts';

/** More values than one batch of rewrapping, and fewer than two. */
const SECRETS = 60;
const BATCH_SIZE = 50;

type Row = SealedValue & { id: string; version: number };

describe('a replica that is killed with SIGKILL during rewrapping', () => {
  let manager: TestManager;
  let before: Row[];
  let keys: string;
  beforeAll(async () => {
    manager = await startManager();
    keys = `${createEnvironment(manager.issuer, manager.database)['KEY_ENCRYPTION_KEYS']}\n2:${randomBytes(32).toString('base64')}`;
    for (let made = 0; made < SECRETS; made += 1) await makeSecret(manager, `value ${made}`);
    before = await rows();
  }, 60_000);
  afterAll(() => manager.close());

  const rows = () =>
    manager.sql<Row>('SELECT id, version, key_version, wrapped_key, ciphertext FROM managed_secrets ORDER BY id');
  /** Counts the values that the new key wraps. */
  const countRewrapped = async () => (await rows()).filter(({ key_version }) => key_version === 2).length;
  const openRow = (row: Row) => openValue(parseKeyRing(keys).get(row.key_version)!, row, getContext(row)).toString();
  const restore = () =>
    manager.sql(
      `UPDATE managed_secrets AS held SET key_version = 1, wrapped_key = old.wrapped_key
       FROM unnest($1::uuid[], $2::bytea[]) AS old (id, wrapped_key) WHERE held.id = old.id`,
      [before.map(({ id }) => id), before.map(({ wrapped_key }) => wrapped_key)],
    );
  /** Starts a replica with the new key; it begins to rewrap at once. */
  const replica = () =>
    startReplica(manager, { wired: true, unready: true, environment: { KEY_ENCRYPTION_KEYS: keys } });

  it('leaves each value under one of the two keys, and the next replica completes the work', async () => {
    const clean = await replica();
    while ((await countRewrapped()) < SECRETS) await sleep(20);
    await clean.kill();
    const made = clean.wire!.statements().filter((text) => text.includes('managed_secrets'));
    const find = (is: (text: string) => boolean) => made.find(is) ?? 'never made';
    const first = find((text) => text.includes('SKIP LOCKED') && !text.includes('id > $4'));
    const second = find((text) => text.includes('SKIP LOCKED') && text.includes('id > $4'));
    const update = find((text) => text.startsWith('UPDATE managed_secrets AS held'));
    const points: (Trap & { rewrapped: number })[] = [
      { text: first, occurrence: 1, moment: 'after', rewrapped: 0 },
      { text: update, occurrence: 1, moment: 'after', rewrapped: 0 },
      { text: second, occurrence: 1, moment: 'before', rewrapped: BATCH_SIZE },
      { text: update, occurrence: 2, moment: 'after', rewrapped: BATCH_SIZE },
    ];
    const hit: string[] = [];
    for (const point of points) {
      await restore();
      const doomed = await replica();
      const sprung = doomed.wire!.arm(point, () => doomed.process.signal('SIGKILL')).then(() => 'killed');
      const what = `${point.moment} ${point.occurrence} ${point.text.slice(0, 60)}`;
      expect([what, await Promise.race([sprung, sleep(30_000, 'not reached', { ref: false })])]).toEqual([
        what,
        'killed',
      ]);
      await doomed.kill();
      await waitForPendingTransactions(manager);
      expect([what, await countRewrapped(), (await rows()).map(openRow)]).toEqual([
        what,
        point.rewrapped,
        before.map(openRow),
      ]);
      hit.push(what);
    }
    console.info(`killed at ${hit.length} points:\n${hit.join('\n')}`);
    const next = await replica();
    while ((await countRewrapped()) < SECRETS) await sleep(20);
    await next.kill();
    expect((await rows()).map(openRow)).toEqual(before.map(openRow));
  }, 120_000);
});

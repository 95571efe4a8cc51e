import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Trap } from '@gatehouse/testing/postgres-wire';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openValue, type SealedValue } from '@gatehouse/envelope/sealed-value';
import { parseKeyRing } from '@gatehouse/envelope/key-ring';
import { contextOf } from '../src/secrets/managed-secrets/managed-secret.ts';
import { waitForPendingTransactions } from './crash-scene.ts';
import { environmentOf, startManager, type TestManager } from './enterprise-manager.ts';
import { startReplica } from './replica.ts';
import { makeSecret } from './secret-scene.ts';

/** More than are brought under the new key in one transaction, fewer than in two. */
const SECRETS = 60;
const IN_ONE_TRANSACTION = 50;

type Row = SealedValue & { id: string; version: number };

describe('a process that is killed with -9 while it brings values under a new key', () => {
  let manager: TestManager;
  let before: Row[];
  let keys: string;
  beforeAll(async () => {
    manager = await startManager();
    keys = `${environmentOf(manager.issuer, manager.database)['KEY_ENCRYPTION_KEYS']}\n2:${randomBytes(32).toString('base64')}`;
    for (let made = 0; made < SECRETS; made += 1) await makeSecret(manager, `value ${made}`);
    before = await rows();
  }, 60_000);
  afterAll(() => manager.close());

  const rows = () =>
    manager.sql<Row>('SELECT id, version, key_version, wrapped_key, ciphertext FROM managed_secrets ORDER BY id');
  /** How many values the new key wraps. */
  const renewed = async () => (await rows()).filter(({ key_version }) => key_version === 2).length;
  const valueOf = (row: Row) => openValue(parseKeyRing(keys).get(row.key_version)!, row, contextOf(row)).toString();
  const restore = () =>
    manager.sql(
      `UPDATE managed_secrets AS held SET key_version = 1, wrapped_key = old.wrapped_key
       FROM unnest($1::uuid[], $2::bytea[]) AS old (id, wrapped_key) WHERE held.id = old.id`,
      [before.map(({ id }) => id), before.map(({ wrapped_key }) => wrapped_key)],
    );
  /** A process that knows the new key: it begins with its values as it starts. */
  const replica = () =>
    startReplica(manager, { wired: true, unready: true, environment: { KEY_ENCRYPTION_KEYS: keys } });

  it('leaves every value under one key or the other, and whoever comes next finishes', async () => {
    const clean = await replica();
    while ((await renewed()) < SECRETS) await sleep(20);
    await clean.kill();
    const made = clean.wire!.statements().filter((text) => text.includes('managed_secrets'));
    const find = (is: (text: string) => boolean) => made.find(is) ?? 'never made';
    const first = find((text) => text.includes('SKIP LOCKED') && !text.includes('id > $4'));
    const second = find((text) => text.includes('SKIP LOCKED') && text.includes('id > $4'));
    const update = find((text) => text.startsWith('UPDATE managed_secrets AS held'));
    const points: (Trap & { renewed: number })[] = [
      { text: first, occurrence: 1, moment: 'after', renewed: 0 },
      { text: update, occurrence: 1, moment: 'after', renewed: 0 },
      { text: second, occurrence: 1, moment: 'before', renewed: IN_ONE_TRANSACTION },
      { text: update, occurrence: 2, moment: 'after', renewed: IN_ONE_TRANSACTION },
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
      expect([what, await renewed(), (await rows()).map(valueOf)]).toEqual([what, point.renewed, before.map(valueOf)]);
      hit.push(what);
    }
    console.info(`killed at ${hit.length} points:\n${hit.join('\n')}`);
    const next = await replica();
    while ((await renewed()) < SECRETS) await sleep(20);
    await next.kill();
    expect((await rows()).map(valueOf)).toEqual(before.map(valueOf));
  }, 120_000);
});

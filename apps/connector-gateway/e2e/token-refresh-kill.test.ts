import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { TokenWorld } from './support/token-world.ts';
import { eventually, type Gateway } from './support/world.ts';

/** The advisory lock at which the tests stop a statement. */
const FAULT_POINT = 4711;

let scene: TokenWorld;
let survivor: Gateway;
let database: pg.Client;
/** Reads the activity: within a transaction, Postgres would show an old one. */
let observer: pg.Client;
beforeAll(async () => {
  scene = await TokenWorld.start();
  survivor = await scene.world.gateway(await scene.replicaSettings());
  database = new pg.Client({ connectionString: scene.world.database.adminUrl });
  await database.connect();
  observer = new pg.Client({ connectionString: scene.world.database.adminUrl });
  await observer.connect();
  await database.query(`
    CREATE FUNCTION wait_at_fault_point() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock(${FAULT_POINT}); RETURN NEW; END $$`);
}, 60_000);
afterAll(async () => {
  await database.end();
  await observer.end();
  await scene.close();
});
let before = 0;
beforeEach(() => {
  before = scene.provider.refreshes;
});

const countRefreshes = () => scene.provider.refreshes - before;

/** Begins a call with an expired token at a gateway in a process of its own. */
async function beginCall() {
  const old = await scene.connect('alice', -1_000);
  const { process, url } = await scene.world.startApart(await scene.replicaSettings());
  const call = scene.call(url, 'alice').catch(() => undefined);
  await eventually(() => countRefreshes() === 1 || undefined, 'the provider has the request');
  const kill = async () => {
    await process.killHard();
    await call;
  };
  return { old, kill };
}

/** The backend whose change of the tokens waits for a lock. */
const findWaiting = () =>
  eventually(async () => {
    const { rows } = await observer.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE upstream_tokens%'",
    );
    return rows[0]?.pid;
  }, 'a change of the tokens waits');

/** A call at the other replica gets a token that the provider accepts, after one more refresh. */
async function expectSurvival(refreshes: number): Promise<void> {
  const { json } = await scene.call(survivor.url, 'alice');
  const token = /canary-access-[\w-]+/.exec(JSON.stringify(json.result))?.[0];
  expect([token !== undefined, countRefreshes()]).toEqual([true, refreshes]);
  expect(scene.provider.accepted.has(token!)).toBe(true);
  expect(await scene.findTokens('alice')).toMatchObject({ accessToken: token, reason: undefined });
}

describe('a gateway that is killed during a refresh', () => {
  it('leaves the old token before the provider has decided, and releases its lock', async () => {
    scene.provider.delay();
    const { old, kill } = await beginCall();
    await kill();
    scene.provider.release();
    expect(await scene.findTokens('alice')).toMatchObject(old);
    await expectSurvival(2);
  }, 60_000);

  it('leaves the new refresh token when its change waits for a lock of the row', async () => {
    scene.provider.hold();
    const { old, kill } = await beginCall();
    await database.query('BEGIN');
    await database.query('SELECT 1 FROM upstream_tokens FOR UPDATE');
    scene.provider.release();
    await findWaiting();
    await kill();
    await database.query('COMMIT');
    const stored = await eventually(async () => {
      const tokens = await scene.findTokens('alice');
      return tokens?.refreshToken === old.refreshToken ? undefined : tokens;
    }, 'the database has executed the change');
    expect(scene.provider.refreshable.has(stored.refreshToken!)).toBe(true);
    await expectSurvival(2);
  }, 60_000);

  it('leaves the new refresh token before the access token is stored', async () => {
    scene.provider.hold();
    const { old, kill } = await beginCall();
    const { version } = (await scene.findTokens('alice'))!;
    await database.query(`SELECT pg_advisory_lock(${FAULT_POINT})`);
    await database.query(
      `CREATE TRIGGER fault_point BEFORE UPDATE ON upstream_tokens FOR EACH ROW WHEN (NEW.version = ${version + 2}) EXECUTE FUNCTION wait_at_fault_point()`,
    );
    scene.provider.release();
    const pid = await findWaiting();
    await kill();
    await database.query('SELECT pg_terminate_backend($1)', [pid]);
    await database.query(`SELECT pg_advisory_unlock(${FAULT_POINT})`);
    await eventually(
      () => database.query('DROP TRIGGER fault_point ON upstream_tokens').then(() => true),
      'the terminated backend has released the table',
    );
    const stored = (await scene.findTokens('alice'))!;
    expect(stored).toMatchObject({ accessToken: old.accessToken, version: version + 1 });
    expect(scene.provider.refreshable.has(stored.refreshToken!)).toBe(true);
    await expectSurvival(2);
  }, 60_000);
});

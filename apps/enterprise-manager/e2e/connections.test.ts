import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connector, draft, grant, makeAvailable, makeConnector, makeGroup, type Page } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Connection {
  id: string;
  connector_id: string;
  user_id: string;
  enabled: boolean;
  tools_enabled_by_default: boolean;
  tools_exception_list: string[];
  error: string;
}

/** Repeats a call until it returns a status. Changes of directory entries take a second. */
async function waitForStatus(wanted: number, ask: () => Promise<number>): Promise<void> {
  while ((await ask()) !== wanted) await sleep(50);
}

const OWN = '/v1/me/connections';
const VISIBLE = 'GET /v1/me/gateways/{gateway_id}/connectors';

describe('connections of users', () => {
  let manager: TestManager;
  let team: string;
  beforeAll(async () => {
    manager = await startManager({
      gateways: ['other'],
    });
    team = await makeGroup(manager, 'alice');
  }, 60_000);
  afterAll(() => manager.close());

  const call = <Body = Connection>(operation: string, token: string, more: object = {}) =>
    manager.client.call<Body>(operation, { token, ...more });
  const listVisible = async (token: string, query = {}) =>
    (await call<Page<Connector>>(VISIBLE, token, { path: { gateway_id: 'local' }, query })).body.items.map(
      ({ id }) => id,
    );
  const readVisible = (token: string, id: string, gateway_id = 'local') =>
    call<Connector>(`${VISIBLE}/{id}`, token, { path: { gateway_id, id } });
  const connect = (token: string, connector_id: string, more: object = {}) =>
    call(`POST ${OWN}`, token, { body: { gateway_id: 'local', connector_id, ...more } });
  const makeGranted = async (...groups: string[]) => {
    const { id } = await makeAvailable(manager);
    await grant(manager, id, ...groups);
    return id;
  };

  it('exist for connectors that the policy allows; other connectors are hidden', async () => {
    const id = await makeGranted(team);
    const { alice, bob, stranger, admin } = manager.tokens;
    expect(await listVisible(alice)).toContain(id);
    expect((await readVisible(alice, id)).status).toBe(200);
    for (const token of [bob, stranger, admin]) expect(await listVisible(token)).not.toContain(id);
    const hidden = await readVisible(bob, id);
    const missing = await readVisible(bob, randomUUID());
    expect([hidden.status, JSON.stringify(hidden.body)]).toEqual([404, JSON.stringify(missing.body)]);
    expect(hidden.headers.get('content-length')).toBe(missing.headers.get('content-length'));
  });

  it('follow nested groups at once when members are added and removed', async () => {
    const outer = await makeGroup(manager);
    const inner = await makeGroup(manager, 'bob');
    const id = await makeGranted(outer);
    const path = { group_id: outer, child_id: inner };
    expect((await readVisible(manager.tokens.bob, id)).status).toBe(404);
    await call('PUT /v1/groups/{group_id}/subgroups/{child_id}', manager.tokens.admin, { path });
    expect((await readVisible(manager.tokens.bob, id)).status).toBe(200);
    await call('DELETE /v1/groups/{group_id}/subgroups/{child_id}', manager.tokens.admin, { path });
    expect((await readVisible(manager.tokens.bob, id)).status).toBe(404);
  });

  it.each(['draft', 'failure'])('do not exist for a connector with the status %s', async (status) => {
    const id = await makeGranted(team);
    await manager.sql('UPDATE connectors SET status = $2 WHERE id = $1', [id, status]);
    expect(await listVisible(manager.tokens.alice)).not.toContain(id);
    expect((await readVisible(manager.tokens.alice, id)).status).toBe(404);
    expect((await connect(manager.tokens.alice, id)).status).toBe(404);
  });

  it('belong to a user by issuer and subject, not by name', async () => {
    const id = await makeGranted(team);
    const imposter = await manager.issuer.token({ subject: 'Alice' });
    expect((await readVisible(imposter, id)).status).toBe(403);
    const claiming = await manager.issuer.token({ subject: 'bob', groups: [team], email: 'alice@example.test' });
    expect((await readVisible(claiming, id)).status).toBe(404);
  });

  it('are paged past hidden connectors without gaps and without revealing them', async () => {
    const mine: string[] = [];
    const group = await makeGroup(manager, 'bob');
    for (let n = 0; n < 12; n += 1) {
      const { id } = await makeAvailable(manager);
      if (n % 3 === 0) {
        await grant(manager, id, group);
        mine.push(id);
      }
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await call<Page<Connector>>(VISIBLE, manager.tokens.bob, {
        path: { gateway_id: 'local' },
        query: { limit: 1, cursor },
      });
      expect(body.items.length).toBe(1);
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.next_cursor;
    } while (cursor !== undefined);
    expect(seen.filter((id) => mine.includes(id))).toEqual(mine);
    expect(await listVisible(manager.tokens.bob)).toEqual(seen);
  });

  it('are created, read, changed and deleted by their owner', async () => {
    const id = await makeGranted(team);
    const { alice } = manager.tokens;
    const made = await connect(alice, id, { tools_exception_list: ['a', 'a', 'ünknown'] });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      connector_id: id,
      user_id: await manager.findUserId('alice'),
      enabled: true,
      tools_enabled_by_default: true,
      tools_exception_list: ['a', 'ünknown'],
    });
    expect((await connect(alice, id)).status).toBe(409);
    const path = { id: made.body.id };
    expect((await call(`GET ${OWN}/{id}`, alice, { path })).body).toEqual(made.body);
    expect((await call(`PUT ${OWN}/{id}/enabled`, alice, { path, body: { enabled: false } })).body).toMatchObject({
      enabled: false,
      tools_exception_list: ['a', 'ünknown'],
    });
    const narrowed = await call(`PUT ${OWN}/{id}/tool-policy`, alice, {
      path,
      body: { tools_enabled_by_default: false },
    });
    expect(narrowed.body).toMatchObject({ enabled: false, tools_enabled_by_default: false, tools_exception_list: [] });
    for (const token of [manager.tokens.admin, manager.tokens.auditor]) {
      expect((await call('GET /v1/connections/{id}', token, { path })).body).toEqual(narrowed.body);
      const list = await call<Page<Connection>>('GET /v1/gateways/{gateway_id}/connectors/{id}/connections', token, {
        path: { gateway_id: 'local', id },
      });
      expect(list.body.items).toEqual([narrowed.body]);
    }
    const listOfUser = async (user_id: string) => {
      const options = { path: { gateway_id: 'local', id }, query: { user_id } };
      const route = 'GET /v1/gateways/{gateway_id}/connectors/{id}/connections';
      return (await call<Page<Connection>>(route, manager.tokens.admin, options)).body.items;
    };
    expect(await listOfUser(narrowed.body.user_id)).toEqual([narrowed.body]);
    expect(await listOfUser(id)).toEqual([]);
    expect((await call(`DELETE ${OWN}/{id}`, alice, { path })).status).toBe(204);
    expect((await call(`DELETE ${OWN}/{id}`, alice, { path })).status).toBe(404);
  });

  it('cannot be read or changed by other users (404)', async () => {
    const id = await makeGranted(team, await makeGroup(manager, 'bob'));
    const { body } = await connect(manager.tokens.alice, id);
    const { bob } = manager.tokens;
    const tryAll = async (connection: string) => {
      const path = { id: connection };
      const responses = [
        await call(`GET ${OWN}/{id}`, bob, { path }),
        await call(`DELETE ${OWN}/{id}`, bob, { path }),
        await call(`PUT ${OWN}/{id}/enabled`, bob, { path, body: { enabled: false } }),
        await call(`PUT ${OWN}/{id}/tool-policy`, bob, { path, body: { tools_enabled_by_default: false } }),
      ];
      return responses.map((response) => [response.status, JSON.stringify(response.body)]);
    };
    const foreign = await tryAll(body.id);
    expect(foreign).toEqual(await tryAll(randomUUID()));
    expect(foreign.map(([status]) => status)).toEqual([404, 404, 404, 404]);
    expect((await call(`GET ${OWN}/{id}`, manager.tokens.alice, { path: { id: body.id } })).body).toEqual(body);
    expect((await call('GET /v1/connections/{id}', bob, { path: { id: body.id } })).status).toBe(403);
  });

  it('are hidden without the grant and visible again with it', async () => {
    const id = await makeGranted(team);
    const { alice } = manager.tokens;
    const { body } = await connect(alice, id, { enabled: false });
    const listOwn = async () =>
      (await call<Page<Connection>>(`GET ${OWN}`, alice, { query: { gateway_id: 'local', limit: 200 } })).body.items;
    expect(await listOwn()).toContainEqual(body);
    await grant(manager, id);
    expect(await listOwn()).not.toContainEqual(body);
    expect((await call(`GET ${OWN}/{id}`, alice, { path: { id: body.id } })).status).toBe(404);
    await grant(manager, id, team);
    expect((await call(`GET ${OWN}/{id}`, alice, { path: { id: body.id } })).body).toEqual(body);
  });

  it('are refused to a caller without an active directory entry', async () => {
    const id = await makeGranted(team);
    const expectRefusals = async (token: string) => {
      const path = { id: randomUUID() };
      const responses = [
        await call(`GET ${OWN}`, token),
        await connect(token, id),
        await call(`GET ${OWN}/{id}`, token, { path }),
        await call(`DELETE ${OWN}/{id}`, token, { path }),
        await call(`PUT ${OWN}/{id}/enabled`, token, { path, body: { enabled: true } }),
        await call(`PUT ${OWN}/{id}/tool-policy`, token, { path, body: { tools_enabled_by_default: true } }),
        await call(`${VISIBLE}/{id}`, token, { path: { gateway_id: 'local', id } }),
      ];
      for (const { status, body } of responses)
        expect([status, body]).toEqual([403, { error: 'no active directory entry' }]);
    };
    await expectRefusals(manager.tokens.stranger);
    expect(await listVisible(manager.tokens.stranger)).toEqual([]);
    const list = async () => (await call(VISIBLE, manager.tokens.alice, { path: { gateway_id: 'local' } })).status;
    await manager.sql(`UPDATE users SET active = false WHERE subject = 'alice'`);
    try {
      await waitForStatus(403, list);
      await expectRefusals(manager.tokens.alice);
    } finally {
      await manager.sql(`UPDATE users SET active = true WHERE subject = 'alice'`);
    }
    await waitForStatus(200, list);
  });

  it('are created once by concurrent requests', async () => {
    const id = await makeGranted(team);
    const responses = await Promise.all(Array.from({ length: 6 }, () => connect(manager.tokens.alice, id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('refuse malformed values and connectors of other gateways', async () => {
    const { alice } = manager.tokens;
    const id = await makeGranted(team);
    expect((await connect(alice, id, { gateway_id: 'none' })).status).toBe(404);
    expect((await connect(alice, id, { gateway_id: 'other' })).status).toBe(404);
    expect((await readVisible(alice, id, 'other')).status).toBe(404);
    expect((await readVisible(alice, 'nonsense')).status).toBe(400);
    expect((await connect(alice, id, { user_id: await manager.findUserId('bob') })).status).toBe(400);
    expect((await connect(alice, id, { tools_exception_list: ['\u0000'] })).status).toBe(400);
    expect((await connect(alice, id, { tools_exception_list: Array(1_001).fill('x') })).status).toBe(400);
    expect((await connect(alice, id, { tools_exception_list: ['x'.repeat(1_100_000)] })).status).toBe(413);
    const { body } = await connect(alice, id);
    const path = { id: body.id };
    for (const enabled of [null, 'true', 1, undefined])
      expect((await call(`PUT ${OWN}/{id}/enabled`, alice, { path, body: { enabled } })).status).toBe(400);
    const big = { tools_enabled_by_default: true, tools_exception_list: ['x'.repeat(1_100_000)] };
    expect((await call(`PUT ${OWN}/{id}/tool-policy`, alice, { path, body: big })).status).toBe(413);
    expect((await call(`GET ${OWN}/{id}`, alice, { path: { id: 'x' } })).status).toBe(400);
    expect((await call(`GET ${OWN}`, alice, { query: { gateway_id: 'none' } })).status).toBe(404);
    expect((await call(`GET ${OWN}`, alice, { query: { limit: 0 } })).status).toBe(400);
  });

  it('are not found (404) under another or an unknown gateway', async () => {
    const { id } = await makeConnector(manager, draft());
    const list = (path: Record<string, string>) =>
      call('GET /v1/gateways/{gateway_id}/connectors/{id}/connections', manager.tokens.admin, { path });
    expect((await list({ gateway_id: 'other', id })).status).toBe(404);
    expect((await list({ gateway_id: 'none', id })).status).toBe(404);
    expect((await list({ gateway_id: 'local', id: randomUUID() })).status).toBe(404);
    expect((await list({ gateway_id: 'local', id: 'x' })).status).toBe(400);
    expect((await call('GET /v1/connections/{id}', manager.tokens.admin, { path: { id: randomUUID() } })).status).toBe(
      404,
    );
    expect((await call('GET /v1/connections/{id}', manager.tokens.admin, { path: { id: 'x' } })).status).toBe(400);
  });

  it('are refused to gateway tokens', async () => {
    const { gateway } = manager.tokens;
    expect((await call(`GET ${OWN}`, gateway)).status).toBe(403);
    expect((await call(VISIBLE, gateway, { path: { gateway_id: 'local' } })).status).toBe(403);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@gatehouse/testing/ports';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { createContractClient, type ContractClient } from '@gatehouse/testing/contract-client';
import { randomUUID } from 'node:crypto';
import { draft, grant, makeAvailable, makeConnector, makeGroup } from './connector-scene.ts';
import { createEnvironment, startManager, type TestManager } from './enterprise-manager.ts';

const SNAPSHOT = 'GET /gateway/v1/gateways/{gateway_id}/snapshot';
const PERSON = 'GET /gateway/v1/gateways/{gateway_id}/entitlements';
const USER = `${PERSON}/{user_id}`;
const CONNECTION = '/gateway/v1/gateways/{gateway_id}/connections/{user_id}/{connector_id}';

interface Snapshot {
  connectors: { id: string; slug: string; endpoint: string }[];
  policies: { connector_id: string; version: number; document: string }[];
  claim_mapping: Record<string, string>;
}
interface Entitlements {
  user_id: string;
  issuer: string;
  subject: string;
  active: boolean;
  groups: string[];
  connections: { connector_id: string; enabled: boolean; updated_at: string; version: number }[];
  cleared_connections: { connector_id: string; version: number }[];
  version: string;
}

describe('the gateway API', () => {
  let manager: TestManager;
  let replica: TestProcess;
  let second: ContractClient;
  beforeAll(async () => {
    manager = await startManager();
    const port = await freePort();
    replica = await startProcess({
      app: 'enterprise-manager',
      env: { ...createEnvironment(manager.issuer, manager.database), PORT: String(port) },
      readyUrl: `http://127.0.0.1:${port}/readyz`,
    });
    second = createContractClient({ service: 'enterprise-manager', baseUrl: `http://127.0.0.1:${port}` });
  }, 60_000);
  afterAll(async () => {
    await replica.stop();
    await manager.close();
  });

  const callGatewayApi = <Body>(operation: string, more: object = {}, client = manager.client) =>
    client.call<Body>(operation, { token: manager.tokens.gateway, ...more });
  const local = { path: { gateway_id: 'local' } };
  const readSnapshot = (etag?: string, wait?: number, client = manager.client) =>
    callGatewayApi<Snapshot>(
      SNAPSHOT,
      { ...local, ...(etag !== undefined && { headers: { 'if-none-match': etag } }), query: { wait } },
      client,
    );
  const getTag = (response: { headers: Headers }) => response.headers.get('etag') ?? '';

  describe('GET /gateway/v1/gateways/{gateway_id}/snapshot', () => {
    it('contains the available connectors with their policies, without users and drafts', async () => {
      const shown = await makeAvailable(manager);
      const hidden = await makeConnector(manager, draft());
      const group = await makeGroup(manager, 'alice');
      await grant(manager, shown.id, group);
      const { body } = await readSnapshot();
      expect(body.connectors.find(({ id }) => id === shown.id)).toEqual({
        id: shown.id,
        slug: shown.slug,
        name: shown.name,
        endpoint: shown.endpoint,
        transport: 'streamable-http',
        auth: { type: 'none' },
        allow_private_ips: false,
      });
      expect(body.policies.find(({ connector_id }) => connector_id === shown.id)?.document).toContain(group);
      expect(body.claim_mapping).toMatchObject({ email: 'String' });
      const text = JSON.stringify(body);
      for (const absent of [hidden.id, await manager.findUserId('alice'), 'alice']) expect(text).not.toContain(absent);
    });

    it('has the same ETag on all replicas, and answers 304 for it', async () => {
      const first = await readSnapshot();
      expect(getTag(await readSnapshot(undefined, undefined, second))).toBe(getTag(first));
      expect((await readSnapshot(getTag(first))).status).toBe(304);
      expect((await readSnapshot(getTag(first), 0, second)).status).toBe(304);
      expect((await readSnapshot('"old"', 30)).status).toBe(200);
    });

    it('waits no longer than requested without a change', async () => {
      const etag = getTag(await readSnapshot());
      expect((await readSnapshot(etag, 1)).status).toBe(304);
    });

    it('answers waiting gateways on all replicas after each kind of change', async () => {
      const { id, name } = await makeAvailable(manager);
      const groups = [await makeGroup(manager), await makeGroup(manager)];
      const changes: [string, () => Promise<unknown>][] = [
        ['a grant', () => grant(manager, id, ...groups)],
        ['a group that is gone', () => manager.sql('DELETE FROM groups WHERE id = $1', [groups[0]])],
        [
          'a connector that is taken back',
          () =>
            manager.client.call('PUT /v1/gateways/{gateway_id}/connectors/{id}', {
              token: manager.tokens.admin,
              path: { gateway_id: 'local', id },
              body: draft({ name }),
            }),
        ],
        [
          'a connector that is removed',
          () =>
            manager.client.call('DELETE /v1/gateways/{gateway_id}/connectors/{id}', {
              token: manager.tokens.admin,
              path: { gateway_id: 'local', id },
            }),
        ],
      ];
      for (const [what, change] of changes) {
        const etag = getTag(await readSnapshot());
        // A wait that did not notice would answer 304 after its 20 s.
        const waiting = [readSnapshot(etag, 20), readSnapshot(etag, 20, second)];
        await change();
        const responses = await Promise.all(waiting);
        expect([what, ...responses.map(({ status }) => status)]).toEqual([what, 200, 200]);
        expect(responses.map(getTag)).not.toContain(etag);
      }
    }, 90_000);

    it('answers waiting gateways without notifications of Postgres', async () => {
      const { id } = await makeAvailable(manager);
      const etag = getTag(await readSnapshot());
      const waiting = [readSnapshot(etag, 20), readSnapshot(etag, 20, second)];
      await manager.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'enterprise-manager-listen' AND datname = current_database()`,
      );
      await grant(manager, id, await makeGroup(manager));
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    }, 60_000);

    it('is consistent while a policy changes all the time', async () => {
      const { id } = await makeAvailable(manager);
      const groups = await Promise.all(Array.from({ length: 4 }, () => makeGroup(manager)));
      const seen = new Map<string, string>();
      const writer = (async () => {
        for (let n = 0; n < 12; n += 1) await grant(manager, id, ...groups.slice(0, (n % 4) + 1));
      })();
      for (let n = 0; n < 30; n += 1) {
        const { body, headers } = await readSnapshot(undefined, undefined, n % 2 === 0 ? manager.client : second);
        const etag = headers.get('etag') ?? '';
        const text = JSON.stringify(body);
        expect(seen.get(etag) ?? text).toBe(text);
        seen.set(etag, text);
      }
      await writer;
    }, 60_000);

    it('refuses an unknown gateway and an invalid wait', async () => {
      expect((await callGatewayApi(SNAPSHOT, { path: { gateway_id: 'none' } })).status).toBe(404);
      for (const wait of ['-1', 'x', '1.5', ''])
        expect((await callGatewayApi(SNAPSHOT, { ...local, query: { wait } })).status).toBe(400);
    });
  });

  describe('entitlements of a user', () => {
    it('are returned by id and by token, with all groups', async () => {
      const inner = await makeGroup(manager, 'bob');
      const outer = await makeGroup(manager);
      await manager.client.call('PUT /v1/groups/{group_id}/subgroups/{child_id}', {
        token: manager.tokens.admin,
        path: { group_id: outer, child_id: inner },
      });
      const user_id = await manager.findUserId('bob');
      const byId = await callGatewayApi<Entitlements>(USER, { path: { gateway_id: 'local', user_id } });
      expect(byId.body).toMatchObject({ user_id, issuer: manager.issuer.issuer, subject: 'bob', active: true });
      expect(byId.body.groups).toEqual(expect.arrayContaining([inner, outer]));
      const byPerson = await callGatewayApi<Entitlements>(PERSON, {
        ...local,
        query: { issuer: manager.issuer.issuer, subject: 'bob' },
      });
      expect(byPerson.body).toEqual(byId.body);
      const cached = await callGatewayApi(PERSON, {
        ...local,
        query: { issuer: manager.issuer.issuer, subject: 'bob' },
        headers: { 'if-none-match': getTag(byId) },
      });
      expect(cached.status).toBe(304);
      const sameById = await callGatewayApi(USER, {
        path: { gateway_id: 'local', user_id },
        headers: { 'if-none-match': getTag(byPerson) },
      });
      expect(sameById.status).toBe(304);
    });

    it('change with each connection, which gateways may enable and disable for the user', async () => {
      const connector = await makeAvailable(manager);
      const user_id = await manager.findUserId('alice');
      const path = { gateway_id: 'local', user_id, connector_id: connector.id };
      const readOwn = async () => {
        const { body } = await callGatewayApi<Entitlements>(USER, { path });
        return {
          version: body.version,
          entry: body.connections.find(({ connector_id }) => connector_id === connector.id),
        };
      };
      const before = await readOwn();
      expect(before.entry).toBeUndefined();
      for (const enabled of [true, true, false]) {
        const put = await callGatewayApi<{ enabled: boolean }>(`PUT ${CONNECTION}`, { path, body: { enabled } });
        expect(put.body).toMatchObject({ enabled, user_id, tools_enabled_by_default: true });
        expect((await readOwn()).entry).toMatchObject({ enabled });
      }
      expect((await readOwn()).version).not.toBe(before.version);
      expect((await callGatewayApi(`DELETE ${CONNECTION}`, { path })).status).toBe(204);
      expect((await callGatewayApi(`DELETE ${CONNECTION}`, { path })).status).toBe(204);
      expect((await readOwn()).entry).toBeUndefined();
    });

    it('contain a version of each connection that is never reused', async () => {
      const connector = await makeAvailable(manager);
      const path = { gateway_id: 'local', user_id: await manager.findUserId('alice'), connector_id: connector.id };
      const put = (enabled: boolean, ifMatch?: string) =>
        callGatewayApi(`PUT ${CONNECTION}`, {
          path,
          body: { enabled },
          ...(ifMatch && { headers: { 'if-match': ifMatch } }),
        });
      const clear = (ifMatch: string) =>
        callGatewayApi(`DELETE ${CONNECTION}`, { path, headers: { 'if-match': ifMatch } });
      const isOfConnector = (entry: { connector_id: string }) => entry.connector_id === connector.id;
      const read = async () => {
        const { connections, cleared_connections } = (await callGatewayApi<Entitlements>(USER, { path })).body;
        return connections.find(isOfConnector) ?? cleared_connections.find(isOfConnector);
      };
      const first = await put(true, '"0"');
      expect([first.status, await read()]).toMatchObject([200, { enabled: true, version: 1 }]);
      expect((await read()) as object).toHaveProperty('updated_at');
      const seen = [getTag(first)];
      for (const enabled of [false, true]) seen.push(getTag(await put(enabled, seen.at(-1))));
      expect(new Set(seen).size).toBe(3);
      for (const stale of seen.slice(0, 2)) {
        expect((await put(false, stale)).status).toBe(412);
        expect((await clear(stale)).status).toBe(412);
      }
      expect((await put(true, seen.at(-1))).headers.get('etag')).toBe(seen.at(-1));
      expect((await clear(seen.at(-1)!)).status).toBe(204);
      expect(await read()).toEqual({ connector_id: connector.id, version: 4 });
      expect((await put(true, '"0"')).status).toBe(412);
      expect(getTag(await put(true, '"4"'))).toBe('"5"');
      expect((await put(true, 'bad')).status).toBe(400);
    });

    it('accept one of many concurrent writes with the same version', async () => {
      const { id } = await makeAvailable(manager);
      const path = { gateway_id: 'local', user_id: await manager.findUserId('alice'), connector_id: id };
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          callGatewayApi(
            `PUT ${CONNECTION}`,
            { path, body: { enabled: true }, headers: { 'if-match': '"0"' } },
            n % 2 === 0 ? manager.client : second,
          ),
        ),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    });

    it('store a connection once for concurrent writes', async () => {
      const { id } = await makeAvailable(manager);
      const path = { gateway_id: 'local', user_id: await manager.findUserId('alice'), connector_id: id };
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          callGatewayApi(
            `PUT ${CONNECTION}`,
            { path, body: { enabled: n % 2 === 0 } },
            n % 2 === 0 ? manager.client : second,
          ),
        ),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await manager.sql('SELECT 1 FROM connections WHERE connector_id = $1', [id])).toHaveLength(1);
    });

    it('are empty for an inactive user', async () => {
      const user_id = await manager.findUserId('bob');
      await manager.sql(`UPDATE users SET active = false WHERE id = $1`, [user_id]);
      const { body } = await callGatewayApi<Entitlements>(USER, { path: { gateway_id: 'local', user_id } });
      expect(body).toMatchObject({ active: false, groups: [], connections: [] });
      const { id } = await makeAvailable(manager);
      const path = { gateway_id: 'local', user_id, connector_id: id };
      expect((await callGatewayApi(`PUT ${CONNECTION}`, { path, body: { enabled: true } })).status).toBe(404);
      await manager.sql(`UPDATE users SET active = true WHERE id = $1`, [user_id]);
    });

    it('are refused for an unknown or malformed user', async () => {
      const { id } = await makeAvailable(manager);
      const user_id = await manager.findUserId('alice');
      const issuer = manager.issuer.issuer;
      expect((await callGatewayApi(PERSON, { ...local, query: { issuer, subject: 'unknown' } })).status).toBe(404);
      expect(
        (await callGatewayApi(PERSON, { ...local, query: { issuer: 'https://other.example', subject: 'alice' } }))
          .status,
      ).toBe(404);
      expect((await callGatewayApi(PERSON, { ...local, query: { issuer } })).status).toBe(400);
      expect(
        (await callGatewayApi(PERSON, { path: { gateway_id: 'none' }, query: { issuer, subject: 'alice' } })).status,
      ).toBe(404);
      expect((await callGatewayApi(USER, { path: { gateway_id: 'local', user_id: randomUUID() } })).status).toBe(404);
      expect((await callGatewayApi(USER, { path: { gateway_id: 'local', user_id: 'x' } })).status).toBe(400);
      expect((await callGatewayApi(USER, { path: { gateway_id: 'none', user_id } })).status).toBe(404);
      const refused: [object, number][] = [
        [{ gateway_id: 'none', user_id, connector_id: id }, 404],
        [{ gateway_id: 'local', user_id: randomUUID(), connector_id: id }, 404],
        [{ gateway_id: 'local', user_id, connector_id: randomUUID() }, 404],
        [{ gateway_id: 'local', user_id, connector_id: 'x' }, 400],
      ];
      for (const [path, status] of refused) {
        expect((await callGatewayApi(`PUT ${CONNECTION}`, { path, body: { enabled: true } })).status).toBe(status);
        expect((await callGatewayApi(`DELETE ${CONNECTION}`, { path })).status).toBe(status);
      }
      const path = { gateway_id: 'local', user_id, connector_id: id };
      expect((await callGatewayApi(`PUT ${CONNECTION}`, { path, body: { enabled: 'yes' } })).status).toBe(400);
    });
  });

  it('is available only to gateways', async () => {
    const path = { gateway_id: 'local', user_id: randomUUID(), connector_id: randomUUID() };
    for (const token of [manager.tokens.admin, manager.tokens.auditor, manager.tokens.alice]) {
      for (const operation of [SNAPSHOT, PERSON, USER, `DELETE ${CONNECTION}`])
        expect((await callGatewayApi(operation, { path, token })).status).toBe(403);
      expect((await callGatewayApi(`PUT ${CONNECTION}`, { path, token, body: { enabled: true } })).status).toBe(403);
    }
  });
});

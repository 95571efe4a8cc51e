import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createContractClient } from '@gatehouse/testing/contract-client';
import { startPostgresWire } from '@gatehouse/testing/postgres-wire';
import { randomUUID } from 'node:crypto';
import { DataPlane } from '../src/data-plane/data-plane.ts';
import { PAY } from './support/changing-tools.ts';
import { PinningWorld } from './support/pinning-world.ts';
import { eventually } from './support/world.ts';

const CHANGES = '/v1/admin/tool-changes';

let scene: PinningWorld;
beforeAll(async () => {
  scene = await PinningWorld.start();
}, 60_000);
afterEach(() => scene.end());
afterAll(() => scene.close());

/** Begins a test with a withheld change. */
async function beginWithChange() {
  await scene.begin('quarantine');
  const change = await scene.change();
  for (const at of [0, 1] as const) await scene.waitUntilListed(at, false);
  return change;
}

describe('GET /v1/admin/tool-changes', () => {
  it('shows the old and the new definition, without those of the baseline', async () => {
    const change = await beginWithChange();
    expect((await scene.listChanges()).items).toEqual([change]);
    expect(change).toMatchObject({
      connector_id: scene.connector.id,
      connector_name: scene.connector.name,
      tool: PAY,
      kind: 'changed',
      status: 'pending',
      old_definition: { name: PAY, description: 'Pays a bill.' },
      new_definition: { name: PAY, description: expect.stringMatching(/^Pays bill /) },
      superseded: 0,
    });
    expect(change).not.toHaveProperty('decided_by');
  });

  it('filters by status and connector, and pages newest first', async () => {
    await scene.begin('quarantine');
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await scene.change()).id);
    await scene.decide('accept', ids[0]!);
    const list = async (query: Record<string, string | number>) =>
      (await scene.listChanges(query)).items.map(({ id }) => id);
    expect(await list({ status: 'accepted' })).toEqual([ids[0]]);
    expect(await list({ status: 'pending' })).toEqual(ids.slice(1));
    expect(await list({ connector_id: randomUUID() })).toEqual([]);
    const first = await scene.listChanges({ limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(await list({ limit: 2, cursor: first.next_cursor! })).toEqual([ids[2]]);
  });
});

describe('POST /v1/admin/tool-changes/{id}/accept', () => {
  it('offers the tool at all replicas and to all users, and notifies open sessions', async () => {
    const { id } = await beginWithChange();
    let changes = 0;
    const client = await scene.world.client(scene.urlAt(1), scene.tokens.bob);
    client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain(PAY);
    const { service } = scene.gateways[1];
    await eventually(() => service.app.get(DataPlane).countOpen().streams > 0, 'the stream of the session is open');
    const { status, body } = await scene.decide('accept', id);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        id,
        status: 'accepted',
        decided_by: { issuer: scene.world.issuer.issuer, subject: 'root' },
      }),
    ]);
    // The replica of the decision applies it at once.
    expect(await scene.isListed(0)).toBe(true);
    await scene.waitUntilListed(1, true);
    await eventually(() => changes > 0, 'the session is notified');
    for (const at of [0, 1] as const) expect((await scene.call(at, scene.tokens.bob)).json.result).toBeDefined();
    scene.tools.change('Pays a bill.');
    expect((await scene.call()).json.result).toBeDefined();
  });

  it('is audited once, and repeats without effect', async () => {
    const { id } = await beginWithChange();
    const answers = await Promise.all([1, 2, 3].map(() => scene.decide('accept', id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await scene.listEvents({ object_id: id })).map(({ operation }) => operation)).toEqual([
      'Accept tool change',
      'Record tool change',
    ]);
  });

  it('accepts a rejected definition', async () => {
    const { id } = await beginWithChange();
    await scene.decide('reject', id);
    expect((await scene.decide('accept', id)).body.status).toBe('accepted');
    expect(await scene.isListed(0)).toBe(true);
  });
});

describe('POST /v1/admin/tool-changes/{id}/reject', () => {
  it('keeps the tool out, also where changes are only recorded, until the old definition is back', async () => {
    await scene.begin('warn');
    const { id } = await scene.change();
    for (const at of [0, 1] as const) expect(await scene.isListed(at)).toBe(true);
    expect((await scene.decide('reject', id, scene.tokens.admin, 1)).body).toMatchObject({ status: 'rejected' });
    for (const at of [1, 0] as const) await scene.waitUntilListed(at, false);
    scene.tools.change('Pays a bill.');
    for (const at of [0, 1] as const) await scene.waitUntilListed(at, true);
  });

  it('answers 409 for an accepted definition, and repeats without effect', async () => {
    const { id } = await beginWithChange();
    for (let count = 0; count < 2; count += 1) expect((await scene.decide('reject', id)).status).toBe(200);
    await scene.decide('accept', id);
    const { status, body } = await scene.decide('reject', id);
    expect([status, body.error]).toEqual([409, expect.stringContaining(`this definition of ${PAY} was accepted at `)]);
    expect(await scene.isListed(0)).toBe(true);
    expect((await scene.listEvents({ object_id: id })).map(({ operation }) => operation)).toEqual([
      'Accept tool change',
      'Reject tool change',
      'Record tool change',
    ]);
  });

  it('ends a race with the acceptance of another administrator in one state at all replicas', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await beginWithChange();
      const [accepted, rejected] = await Promise.all([
        scene.decide('accept', id, scene.tokens.admin, 0),
        scene.decide('reject', id, scene.tokens.admin, 1),
      ]);
      expect(accepted.status).toBe(200);
      expect([200, 409]).toContain(rejected.status);
      for (const at of [0, 1] as const) await scene.waitUntilListed(at, true);
      expect((await scene.listChanges()).items).toMatchObject([{ id, status: 'accepted' }]);
    }
  });
});

describe.each(['accept', 'reject'] as const)('the decision %s', (decision) => {
  it('answers 404 for an unknown change and for a definition of the baseline', async () => {
    await beginWithChange();
    const [row] = await scene.world.sql<{ id: string }>(
      `SELECT id FROM tool_definitions WHERE connector_id = '${scene.connector.id}' AND status = 'baseline'`,
    );
    const answers = [await scene.decide(decision, randomUUID()), await scene.decide(decision, row!.id)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]!.body).toEqual(answers[1]!.body);
    expect((await scene.decide(decision, 'garbage')).status).toBe(400);
  });

  it('is refused to an auditor and to a user, and the refusal is audited', async () => {
    const { id } = await beginWithChange();
    for (const token of [scene.tokens.auditor, scene.tokens.alice])
      expect((await scene.decide(decision, id, token)).status).toBe(403);
    expect((await scene.listChanges()).items).toMatchObject([{ id, status: 'pending' }]);
    const refused = await scene.listEvents({ outcome: 'forbidden', object_id: id });
    expect(refused.map(({ subject }) => subject).sort()).toEqual(['alice', 'auditor']);
  });
});

describe('the administration of tool changes while the database cannot be reached', () => {
  it('answers 503 with Retry-After', async () => {
    await scene.begin('off');
    const wire = await startPostgresWire(scene.world.database.url);
    const { controlUrl } = await scene.world.gateway({ DATABASE_URL: wire.url });
    await wire.close();
    const cut = createContractClient({ service: 'connector-gateway', baseUrl: controlUrl });
    const path = { id: randomUUID() };
    const calls = {
      [`GET ${CHANGES}`]: {},
      [`POST ${CHANGES}/{id}/accept`]: { path },
      [`POST ${CHANGES}/{id}/reject`]: { path },
    };
    for (const [operation, call] of Object.entries(calls)) {
      const { status, headers } = await cut.call(operation, { token: scene.tokens.admin, ...call });
      expect([operation, status, headers.get('retry-after')]).toEqual([
        operation,
        503,
        expect.stringMatching(/^[1-9]/),
      ]);
    }
  });
});

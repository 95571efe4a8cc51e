import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readDocument } from '@gatehouse/testing/contract-client';
import { admission, type AdmissionResponse, lease, type LeaseResponse, makePrices } from './admission-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { startReplica } from './replica.ts';
import { makeSecret, makeUser } from './secret-scene.ts';
import { Gateway, type Receipt } from './usage-scene.ts';

const CLIENTS = ['connectors', 'others', 'models', 'management', 'retired'] as const;
type Client = (typeof CLIENTS)[number];

/** The clients with gateways of each kind that are not retired. */
const OF_KIND: Record<string, readonly Client[]> = {
  connector: ['connectors', 'others'],
  ai: ['models'],
  management: ['management'],
};
const USAGE = 'POST /webhooks/budgets/usage';
const ADMISSION = 'POST /webhooks/budgets/admission';
const LEASE = 'POST /gateway/v1/budget-leases';
const FOREIGN = { error: 'the client of this token is not registered for this gateway' };
const RETIRED = { error: 'this gateway is retired: it may report usage and nothing else' };

/** Entries of GATEWAYS. @param secrets ids that the gateway of models may reveal */
const createEntries = (issuer: string, secrets: readonly string[] = []) => {
  const createClients = (...names: string[]) => names.map((client_id) => ({ issuer, client_id }));
  return [
    { id: 'local', display_name: 'Local', kind: 'connector', client_ids: createClients('connectors') },
    { id: 'other', display_name: 'Other', kind: 'connector', client_ids: createClients('others') },
    { id: 'local-ai', display_name: 'Models', kind: 'ai', client_ids: createClients('models'), secrets },
    { id: 'mgmt', display_name: 'Management', kind: 'management', client_ids: createClients('management') },
    { id: 'old-ai', display_name: 'Old', kind: 'ai', client_ids: createClients('retired', 'models'), retired: true },
  ];
};

const gatewayRoutes = Object.entries(readDocument('enterprise-manager').paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, { 'x-roles'?: string[]; 'x-gateway-kinds'?: string[] }>).flatMap(
    ([method, { 'x-roles': roles = [], 'x-gateway-kinds': kinds = [] }]) =>
      roles.includes('gateway') ? [{ operation: `${method.toUpperCase()} ${path}`, kinds }] : [],
  ),
);

describe('the client of a gateway token', () => {
  let manager: TestManager;
  let tokens: Record<Client | 'unknown', string>;
  beforeAll(async () => {
    manager = await startManager({
      gatewaysFor: createEntries,
    });
    const named = [...CLIENTS, 'unknown'] as const;
    const made = named.map(async (clientId) => [clientId, await createToken(clientId)] as const);
    tokens = Object.fromEntries(await Promise.all(made)) as typeof tokens;
    await makePrices(manager);
  }, 60_000);
  afterAll(() => manager.close());

  const createToken = (clientId: string, claims: Record<string, unknown> = {}) =>
    manager.issuer.token({ subject: `service ${clientId}`, roles: ['gateway'], clientId, claims });
  const call = (operation: string, as: string, more: object = {}) =>
    manager.client.call<{ error: string }>(operation, { token: as, ...more });
  const getAlice = () => ({ issuer: manager.issuer.issuer, subject: 'alice' });

  it('has gateway routes to test', () => {
    expect(gatewayRoutes.length).toBeGreaterThan(14);
  });

  it.each(gatewayRoutes)('may call $operation only for a gateway of the right kind', async ({ operation, kinds }) => {
    expect(kinds.length).toBeGreaterThan(0);
    const allowed = new Set(kinds.flatMap((kind) => OF_KIND[kind] ?? []));
    if (operation === USAGE) allowed.add('retired');
    // An unknown gateway: clients of the right kind get as far as 404.
    const path = { gateway_id: 'none', user_id: randomUUID(), connector_id: randomUUID(), id: randomUUID() };
    const others = { ...path, reservation_id: randomUUID(), lease_id: randomUUID(), pricing_catalog_id: randomUUID() };
    for (const client of [...CLIENTS, 'unknown'] as const) {
      const { status } = await call(operation, tokens[client], {
        path: Object.fromEntries(Object.entries(others).filter(([name]) => operation.includes(`{${name}}`))),
        ...(operation.includes('changes') && { query: { wait: 0 } }),
      });
      expect([client, status === 403]).toEqual([client, !allowed.has(client as Client)]);
      expect(status).not.toBe(401);
    }
  });

  it.each(gatewayRoutes.filter(({ operation }) => operation.includes('{gateway_id}')))(
    'may call $operation only under its own gateway',
    async ({ operation }) => {
      const path = Object.fromEntries(
        ['user_id', 'connector_id', 'id']
          .filter((name) => operation.includes(`{${name}}`))
          .map((n) => [n, randomUUID()]),
      );
      for (const gateway_id of ['other', 'local-ai', 'mgmt', 'old-ai']) {
        const response = await call(operation, tokens.connectors, { path: { ...path, gateway_id } });
        expect([gateway_id, response.status, response.body]).toEqual([gateway_id, 403, FOREIGN]);
      }
      const own = await call(operation, tokens.connectors, { path: { ...path, gateway_id: 'local' } });
      expect(own.status).not.toBe(403);
    },
  );

  it('is refused with the reason if it is not registered', async () => {
    const nameless = await manager.issuer.token({ roles: ['gateway'], claims: { client_id: undefined } });
    const elsewhere = await createToken('connectors', { client_id: 'Connectors' });
    for (const as of [tokens.unknown, nameless, elsewhere]) {
      const { status, body } = await call('POST /webhooks/ping', as, { body: {} });
      expect([status, body.error]).toEqual([403, expect.stringContaining('an entry of GATEWAYS')]);
    }
  });

  it('is client_id, otherwise azp, and both must agree', async () => {
    const ping = async (claims: Record<string, unknown>) =>
      (await call('POST /webhooks/ping', await createToken('models', claims), { body: {} })).status;
    expect(await ping({ client_id: undefined, azp: 'models' })).toBe(200);
    expect(await ping({ azp: 'models' })).toBe(200);
    expect(await ping({ azp: 'connectors' })).toBe(401);
  });

  it('admits and leases only for its own gateways, with 404 for an unknown and 403 for another gateway', async () => {
    const expected = [
      ['local-ai', 200],
      ['none', 404],
      ['local', 403],
      ['old-ai', 403],
    ] as const;
    for (const [gateway_id, status] of expected) {
      const admitted = await call(ADMISSION, tokens.models, { body: { ...admission(getAlice()), gateway_id } });
      const leased = await call(LEASE, tokens.models, { body: lease(getAlice(), { gateway_id }) });
      expect([gateway_id, admitted.status, leased.status]).toEqual([gateway_id, status, status]);
    }
  });

  it('cannot extend or return a lease of another gateway', async () => {
    const second = await startManagerOfTwo();
    try {
      const createGatewayToken = (clientId: string) => second.issuer.token({ roles: ['gateway'], clientId });
      const [one, two] = [await createGatewayToken('one'), await createGatewayToken('two')];
      await makePrices(second);
      const principal = { issuer: second.issuer.issuer, subject: 'alice' };
      const body = { ...admission(principal), gateway_id: 'one' };
      const { body: admitted } = await second.client.call<AdmissionResponse>(ADMISSION, { token: one, body });
      const { body: leased } = await second.client.call<LeaseResponse>(LEASE, {
        token: one,
        body: lease(principal, { gateway_id: 'one' }),
      });
      const extend = async (by: string) => {
        const { status } = await second.client.call('POST /gateway/v1/reservations/{reservation_id}/extend', {
          token: by,
          path: { reservation_id: admitted.reservation_id },
          body: { seconds: 60 },
        });
        return status;
      };
      const returnLease = async (by: string) => {
        const { status } = await second.client.call('DELETE /gateway/v1/budget-leases/{lease_id}', {
          token: by,
          path: { lease_id: leased.lease_id },
          body: { unused_usd: '0.1' },
        });
        return status;
      };
      expect([await extend(two), await returnLease(two)]).toEqual([404, 404]);
      expect([await extend(one), await returnLease(one)]).toEqual([200, 204]);
    } finally {
      await second.close();
    }
  });

  it('reports usage only for its own gateways, including retired ones', async () => {
    const scene = new Gateway(() => manager);
    const report = (gateway_id: string) => scene.report({ gateway_id });
    const reportUsage = async (as: string, ...events: unknown[]) => {
      const { status, body } = await manager.client.call<{ results: { status: string }[] }>(USAGE, {
        token: as,
        body: { events },
      });
      expect(status).toBe(200);
      return body.results.map((one) => (one.status === 'rejected' ? 'rejected' : 'taken'));
    };
    const ids = ['local-ai', 'none', 'old-ai', 'local', 'mgmt', 'local-ai'];
    expect(await reportUsage(tokens.models, ...ids.map(report))).toEqual([
      'taken',
      'rejected',
      'taken',
      'rejected',
      'rejected',
      'taken',
    ]);
    expect(await reportUsage(tokens.retired, ...['old-ai', 'local-ai'].map(report))).toEqual(['taken', 'rejected']);
    const admitted = await call(ADMISSION, tokens.retired, {
      body: { ...admission(getAlice()), gateway_id: 'old-ai' },
    });
    expect([admitted.status, admitted.body]).toEqual([403, RETIRED]);
    expect(await manager.sql(`SELECT FROM usage_events WHERE gateway_id IN ('none', 'local', 'mgmt') LIMIT 1`)).toEqual(
      [],
    );
  });

  describe('the client of another gateway of models', () => {
    let second: TestManager;
    let one: string;
    let two: string;
    beforeAll(async () => {
      second = await startManagerOfTwo();
      one = await second.issuer.token({ roles: ['gateway'], clientId: 'one' });
      two = await second.issuer.token({ roles: ['gateway'], clientId: 'two' });
      await makePrices(second);
    }, 60_000);
    afterAll(() => second.close());

    const createNoReservation = (field: string) => ({
      status: 'rejected',
      error: `${field}: there is no such reservation of this gateway`,
    });
    const TAKEN = {
      status: 'conflict',
      error: 'interaction_id: another gateway has reported this attempt',
    };
    const report = (gateway_id: string, more: Record<string, unknown> = {}) =>
      new Gateway(() => second).report({ gateway_id, model: 'plain', requested_model: 'plain', ...more });
    const free = { raw_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
    const send = async (token: string, ...events: unknown[]) =>
      (await second.client.call<{ results: Receipt[] }>(USAGE, { token, body: { events } })).body.results;
    const getPrincipal = () => ({ issuer: second.issuer.issuer, subject: 'alice' });
    const readHeldAmount = async (id: string) =>
      second.sql<{ held: string }>('SELECT held_usd::text AS held FROM reservations WHERE id = $1', [id]);

    it('cannot settle the admission of a gateway', async () => {
      const body = { ...admission(getPrincipal()), gateway_id: 'one' };
      const { body: admitted } = await second.client.call<AdmissionResponse>(ADMISSION, { token: one, body });
      const before = await readHeldAmount(admitted.reservation_id);
      expect(before).toHaveLength(1);
      const { interaction_id } = body;
      expect(await send(two, report('two', { interaction_id, ...free }))).toEqual([
        createNoReservation('interaction_id'),
      ]);
      const named = { reservation_id: admitted.reservation_id, ...free };
      expect(await send(two, report('two', named))).toEqual([createNoReservation('reservation_id')]);
      const otherPerson = { ...named, principal: { ...getPrincipal(), subject: 'bob' } };
      expect(await send(two, report('two', otherPerson))).toEqual([createNoReservation('reservation_id')]);
      expect(await readHeldAmount(admitted.reservation_id)).toEqual(before);
      expect(await send(one, report('one', { interaction_id }))).toEqual([
        { status: 'charged', event_id: expect.any(String), charged_usd: '0.001100000', basis: 'reported' },
      ]);
    });

    it('cannot draw from the lease of a gateway', async () => {
      const { body: leased } = await second.client.call<LeaseResponse>(LEASE, {
        token: one,
        body: lease(getPrincipal(), { gateway_id: 'one' }),
      });
      const before = await readHeldAmount(leased.lease_id);
      expect(before).toHaveLength(1);
      const reservation_id = leased.lease_id;
      expect(await send(two, report('two', { reservation_id }))).toEqual([createNoReservation('reservation_id')]);
      expect(await readHeldAmount(leased.lease_id)).toEqual(before);
      expect(await send(one, report('one', { reservation_id }))).toMatchObject([{ status: 'charged' }]);
    });

    it('receives no information about a report of another gateway', async () => {
      const { interaction_id, ...first } = report('one');
      expect(await send(one, { interaction_id, ...first })).toMatchObject([{ status: 'charged' }]);
      expect(await send(two, report('two', { interaction_id }))).toEqual([TAKEN]);
      expect(await send(one, { interaction_id, ...first })).toMatchObject([{ status: 'duplicate' }]);
    });

    it('receives no information about a report of another gateway in the same batch', async () => {
      const both = await second.issuer.token({ roles: ['gateway'], clientId: 'both' });
      const first = report('one');
      const { interaction_id } = first;
      const results = await send(both, first, report('two', { interaction_id }));
      expect(results).toMatchObject([{ status: 'charged' }, TAKEN]);
      expect(results[1]).toEqual(TAKEN);
    });
  });

  it('receives for a gateway of models only the secrets that its entry lists', async () => {
    const listed = await makeSecret(manager, 'of the provider');
    const ofConnector = await makeSecret(manager, 'of the connector');
    const GATEWAYS = JSON.stringify(createEntries(manager.issuer.issuer, [listed.id.toUpperCase(), randomUUID()]));
    const replica = await startReplica(manager, { environment: { GATEWAYS } });
    try {
      await makeUser(manager, ofConnector.id);
      const reveal = async (id: string, as: string, gateway: string) => {
        const path = `/gateway/v1/gateways/${gateway}/secrets/${id}/reveal`;
        const { status, body } = await replica.call({ method: 'POST', path, token: as });
        return [status, body];
      };
      const hidden = { error: 'there is no such secret' };
      expect(await reveal(listed.id, tokens.models, 'local-ai')).toEqual([
        200,
        { value: 'of the provider', version: 1 },
      ]);
      expect((await reveal(ofConnector.id, tokens.models, 'local-ai'))[1]).toEqual(hidden);
      expect((await reveal(listed.id, tokens.connectors, 'local'))[1]).toEqual(hidden);
      expect(await reveal(ofConnector.id, tokens.models, 'local')).toEqual([403, FOREIGN]);
      expect((await reveal(ofConnector.id, tokens.connectors, 'local'))[0]).toBe(200);
    } finally {
      await replica.kill();
    }
  });

  /** A service with two gateways of models, each with a client of its own. */
  const startManagerOfTwo = () =>
    startManager({
      gatewaysFor: (issuer) =>
        ['one', 'two'].map((id) => ({
          id,
          display_name: id,
          kind: 'ai',
          client_ids: [id, 'both'].map((client_id) => ({ issuer, client_id })),
        })),
    });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type AdmissionResponse, admission } from './admission-scene.ts';
import { TestClock } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { createPricingClient } from './pricing-scene.ts';

const DAY = 86_400_000;
const FAR = (400 * DAY) / 1000;
const MODEL = 'org/dated';

/** Creates a catalog with one price per million tokens, for input and output. */
const createCatalog = (usd: string, more: object = {}) => ({
  spec: {
    entries: [{ provider: 'openai', model: MODEL, openai: { inputUsdPerMillion: usd, outputUsdPerMillion: usd } }],
  },
  ...more,
});

describe('the price list of a request', () => {
  const clock = new TestClock();
  let manager: TestManager;
  let pricing: ReturnType<typeof createPricingClient>;
  let gateway: string;

  beforeAll(async () => {
    manager = await startManager({ clock });
    const admin = await manager.issuer.token({ subject: 'admin', roles: ['admin'], expiresIn: FAR });
    gateway = await manager.issuer.token({ subject: 'gateway', roles: ['gateway'], expiresIn: FAR });
    pricing = createPricingClient(manager, admin);
  }, 60_000);
  afterAll(() => manager.close());

  const getAlice = () => ({ issuer: manager.issuer.issuer, subject: 'alice' });
  const admit = async (overrides: object = {}) => {
    const body = admission(getAlice(), { requested_model: MODEL, model: MODEL, ...overrides });
    const response = await manager.client.call<AdmissionResponse>('POST /webhooks/budgets/admission', {
      token: gateway,
      body,
    });
    return { sent: body, ...response.body };
  };
  /** Reports the usage of an attempt: half a million input and output tokens. */
  const report = async (interaction_id: string, event_time: string, reservation_id?: string) => {
    const event = {
      ...{ interaction_id, attempt: 1, event_time, gateway_id: 'local-ai', principal: getAlice(), provider: 'openai' },
      ...(reservation_id !== undefined && { reservation_id }),
      ...{ route: '/v1/chat/completions', requested_model: MODEL, model: MODEL, outcome: 'delivered' },
      ...{ upstream_status: 200, duration_ms: 5 },
      raw_usage: { prompt_tokens: 500_000, completion_tokens: 500_000 },
    };
    const { status, body } = await manager.client.call<{
      results: { status: string; charged_usd?: string; event_id: string }[];
    }>('POST /webhooks/budgets/usage', { token: gateway, body: { events: [event] } });
    if (status !== 200) throw new Error(`usage was answered with ${status}: ${JSON.stringify(body)}`);
    const [charge] = await manager.sql<{ catalog: string; usd: string }>(
      'SELECT pricing_catalog_id AS catalog, charged_usd::text AS usd FROM charges WHERE interaction_id = $1',
      [interaction_id],
    );
    return { ...body.results[0]!, charge };
  };

  it('is the list in effect at admission, not at settlement', async () => {
    const { body: old } = await pricing.put(createCatalog('1'));
    const first = await admit();
    expect(first).toMatchObject({ decision: 'admitted', pricing_catalog_id: old.id });
    const { body: next } = await pricing.put(
      createCatalog('7', { effective_from: new Date(clock.time + 60_000).toISOString() }),
    );
    clock.time += 59_999;
    const before = await admit();
    expect(before.pricing_catalog_id).toBe(old.id);
    clock.time += 1;
    const after = await admit();
    expect(after.pricing_catalog_id).toBe(next.id);
    for (const [admitted, catalog, usd] of [
      [after, next.id, '7.000000000'],
      [before, old.id, '1.000000000'],
      [first, old.id, '1.000000000'],
    ] as const) {
      const { status, charged_usd, charge } = await report(
        admitted.sent.interaction_id,
        admitted.admitted_at,
        admitted.reservation_id,
      );
      expect([status, charged_usd, charge]).toEqual(['charged', usd, { catalog, usd }]);
    }
  });

  it('is the list of the reservation, also after the price of the model is deleted', async () => {
    const { body: priced } = await pricing.put(createCatalog('3'));
    const admitted = await admit();
    await pricing.deleteEntry('openai', MODEL);
    expect(await admit()).toMatchObject({ decision: 'denied', reason: 'unpriceable' });
    const { charge } = await report(admitted.sent.interaction_id, admitted.admitted_at, admitted.reservation_id);
    expect(charge).toEqual({ catalog: priced.id, usd: '3.000000000' });
    // The version of a charge is still readable after later writes.
    const version = await pricing.version(charge!.catalog);
    expect(version).toMatchObject({ state: 'superseded', ...createCatalog('3') });
  });

  it('is the list in effect at event_time for a request without admission', async () => {
    const { body: then } = await pricing.put(createCatalog('2'));
    const time = new Date(clock.time).toISOString();
    clock.time += 1_000;
    await pricing.put(createCatalog('5'));
    const { charge } = await report('late-without-admission', time);
    expect(charge).toEqual({ catalog: then.id, usd: '2.000000000' });
  });

  it('is never a withdrawn version', async () => {
    const { body: standing } = await pricing.put(createCatalog('2'));
    const from = new Date(clock.time + DAY).toISOString();
    await pricing.put(createCatalog('900', { effective_from: from }));
    await pricing.unstage(from);
    clock.time += 2 * DAY;
    expect((await admit()).pricing_catalog_id).toBe(standing.id);
    const { charge } = await report('after-a-withdrawal', new Date(clock.time).toISOString());
    expect(charge).toEqual({ catalog: standing.id, usd: '2.000000000' });
  });

  it('is never the baseline after the first write of an operator', async () => {
    const { body: own } = await pricing.put(createCatalog('6'));
    clock.time += 1_000;
    await manager.sql(
      `INSERT INTO pricing_catalogs (id, effective_from, source, provider_aliases, spec, created_at)
       SELECT gen_random_uuid(), $2, 'baseline', provider_aliases, spec, $2 FROM pricing_catalogs WHERE id = $1`,
      [own.id, new Date(clock.time).toISOString()],
    );
    const admitted = await admit();
    expect(admitted.pricing_catalog_id).toBe(own.id);
    const { charge } = await report(randomUUID(), admitted.admitted_at);
    expect(charge).toEqual({ catalog: own.id, usd: '6.000000000' });
  });

  it('is the last written version, also after a write by a replica with a fast clock', async () => {
    await pricing.put(createCatalog('2'));
    clock.time += 5_000;
    const { body: written } = await pricing.put(createCatalog('4'));
    clock.time -= 5_000;
    expect((await admit()).pricing_catalog_id).toBe(written.id);
    clock.time += 6_000;
    await pricing.deleteEntry('openai', MODEL);
    clock.time -= 6_000;
    expect(await admit()).toMatchObject({ decision: 'denied', reason: 'unpriceable' });
    clock.time += 10_000;
  });

  it('contains prices for aliases of providers', async () => {
    await pricing.put(createCatalog('2', { provider_aliases: { azure: 'openai' } }));
    expect((await admit({ provider: 'azure' })).decision).toBe('admitted');
    expect((await admit({ provider: 'Azure' })).decision).toBe('denied');
    expect((await admit({ model: `${MODEL}-2026` })).reason).toBe('unpriceable');
  });
});

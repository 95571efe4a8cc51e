import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PriceList } from '@gatehouse/money/price-list';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Catalog, createPricingClient, openai } from './pricing-scene.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('GET /gateway/v1/pricing-catalogs/{pricing_catalog_id}', () => {
  let manager: TestManager;
  let pricing: ReturnType<typeof createPricingClient>;
  beforeAll(async () => {
    manager = await startManager();
    pricing = createPricingClient(manager);
  }, 60_000);
  afterAll(() => manager.close());

  const createCatalog = (model: string) => ({ spec: { entries: [{ provider: 'openai', model, ...openai() }] } });
  const read = (pricing_catalog_id: string, headers: Record<string, string> = {}) =>
    manager.client.call<Catalog & { error: string }>('GET /gateway/v1/pricing-catalogs/{pricing_catalog_id}', {
      token: manager.tokens.gateway,
      path: { pricing_catalog_id },
      headers,
    });

  it('returns the prices of a version after later writes, in the form that PriceList takes', async () => {
    const { body: first } = await pricing.put({ ...createCatalog('kept'), provider_aliases: { azure: 'openai' } });
    await pricing.put(createCatalog('newer'));
    const { status, body } = await read(first.id);
    expect([status, body]).toEqual([
      200,
      { pricing_catalog_id: first.id, provider_aliases: first.provider_aliases, spec: first.spec },
    ]);
    const list = new PriceList(body.spec, body.provider_aliases);
    expect(list.find('azure', 'kept')).toEqual(list.find('openai', 'kept'));
    expect(list.find('azure', 'kept')).toBeDefined();
  });

  it('has a strong ETag of the version, and returns 304 for it', async () => {
    const [{ id } = { id: '' }] = await pricing.versions();
    const etag = (await read(id)).headers.get('etag') ?? '';
    expect(etag).toBe(`"${id}"`);
    expect((await read(id, { 'if-none-match': etag })).status).toBe(304);
    expect((await read(id, { 'if-none-match': `"${UNKNOWN}"` })).status).toBe(200);
  });

  it('returns 404 for an unknown version', async () => {
    const { status, body } = await read(UNKNOWN);
    expect([status, body.error]).toEqual([404, 'there is no such pricing catalog version']);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Catalog, type Entry, openai, createPricingClient, type Version } from './pricing-scene.ts';
import { type Replica, type ReplicaAnswer, startReplica } from './replica.ts';

const PRICING = '/v1/budgets/pricing';

describe('two replicas with one pricing catalog', () => {
  /** A third replica in this process, for preparation and checks. */
  let manager: TestManager;
  let pricing: ReturnType<typeof createPricingClient>;
  let replicas: [Replica, Replica];

  beforeAll(async () => {
    manager = await startManager();
    pricing = createPricingClient(manager);
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  const send = (at: number, method: string, path: string, { body, tag }: { body?: unknown; tag?: string } = {}) =>
    replicas[at % 2]!.call({
      ...{ method, path: PRICING + path, token: manager.tokens.admin },
      ...(body !== undefined && { body }),
      ...(tag !== undefined && { headers: { 'if-match': tag } }),
    });
  const getStatuses = (responses: ReplicaAnswer[]) => responses.map(({ status }) => status).sort();
  const listModels = async () => (await pricing.catalog()).spec.entries.map(({ model }) => model);

  it('store the baseline once when three processes start', async () => {
    expect((await pricing.versions()).map(({ source, state }) => [source, state])).toEqual([['baseline', 'in_effect']]);
  });

  it('accept one of several writes with the same ETag', async () => {
    for (let round = 0; round < 5; round += 1) {
      await pricing.put({ spec: { entries: [{ provider: 'openai', model: 'kept', ...openai() }] } });
      const [tag, before] = [await pricing.tag(), await pricing.versions()];
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, at) => {
          if (at % 4 === 0) return send(at, 'DELETE', '/entries/openai/kept', { tag });
          if (at % 4 === 1) return send(at, 'PUT', '', { tag, body: { spec: { entries: [] } } });
          return send(at, 'PUT', `/entries/openai/m-${at}`, { tag, body: openai(String(at)) });
        }),
      );
      const won = responses.filter(({ status }) => status < 300);
      expect(won).toHaveLength(1);
      // A second deletion of the same entry is 404.
      expect(getStatuses(responses).filter((status) => status !== 412 && status !== 404 && status >= 300)).toEqual([]);
      expect(await pricing.versions()).toHaveLength(before.length + 1);
      expect(won[0]?.headers.get('etag')).toBe(await pricing.tag());
    }
  });

  it('keep every price when each client retries until its write succeeds', async () => {
    await pricing.put({ spec: { entries: [] } });
    const wanted = Array.from({ length: 24 }, (_, at) => `model/${at}`);
    await Promise.all(
      wanted.map(async (model, at) => {
        for (;;) {
          const { headers } = await send(at, 'GET', '');
          const tag = headers.get('etag') ?? '';
          const { status } = await send(at + 1, 'PUT', `/entries/openai/${model}`, { tag, body: openai(String(at)) });
          if (status === 204) return;
          expect(status).toBe(412);
        }
      }),
    );
    expect((await listModels()).sort()).toEqual([...wanted].sort());
    const versions = await pricing.versions();
    expect(versions.slice(0, 24).map(({ entry_count }) => entry_count)).toEqual(wanted.map((_, at) => 24 - at));
    expect(versions.filter(({ state }) => state === 'in_effect')).toHaveLength(1);
  }, 60_000);

  it('stage one version, and show it and its deletion on the other replica at once', async () => {
    const tag = await pricing.tag();
    const staged = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        send(at, 'PUT', '', { tag, body: { effective_from: `2099-01-01T00:00:0${at}Z`, spec: { entries: [] } } }),
      ),
    );
    expect(getStatuses(staged)).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    const [at, { body }] = [...staged.entries()].find(([, { status }]) => status === 200)!;
    const version = body as unknown as Version;
    expect((await send(at + 1, 'PUT', '/entries/openai/late', { tag, body: openai() })).status).toBe(409);
    const ends = await Promise.all(
      Array.from({ length: 6 }, (_, index) => send(index, 'DELETE', `/versions/${version.effective_from}`)),
    );
    expect(getStatuses(ends)).toEqual([204, 404, 404, 404, 404, 404]);
    expect((await send(at + 1, 'PUT', '/entries/openai/late', { tag, body: openai() })).status).toBe(204);
  });

  it('show each acknowledged write completely on the other replica', async () => {
    await Promise.all(
      Array.from({ length: 10 }, async (_, at) => {
        const mark = { provider: 'openai', model: 'mark', ...openai(String(at)) };
        const entries = [mark, ...Array.from({ length: 200 }, (__, more) => ({ ...mark, model: `m-${more}` }))];
        const { status, body } = await send(at, 'PUT', '', { tag: '*', body: { spec: { entries } } });
        expect(status).toBe(200);
        const stored = await send(at + 1, 'GET', `/catalogs/${String(body['id'])}`);
        expect((stored.body['spec'] as Catalog['spec']).entries).toEqual(entries);
        const seen = ((await send(at + 1, 'GET', '')).body['spec'] as Catalog['spec']).entries;
        const [first, ...rest] = seen as [Entry, ...Entry[]];
        expect(rest.every(({ openai: rates }) => JSON.stringify(rates) === JSON.stringify(first.openai))).toBe(true);
      }),
    );
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestClock } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { openai, createPricingClient, type Version } from './pricing-scene.ts';

const DAY = 86_400_000;
const FAR = 400 * DAY;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('the pricing catalog', () => {
  const clock = new TestClock();
  let manager: TestManager;
  let pricing: ReturnType<typeof createPricingClient>;
  let auditor: string;

  beforeAll(async () => {
    manager = await startManager({ clock });
    const admin = await manager.issuer.token({ subject: 'admin', roles: ['admin'], expiresIn: FAR / 1000 });
    auditor = await manager.issuer.token({ subject: 'auditor', roles: ['auditor'], expiresIn: FAR / 1000 });
    pricing = createPricingClient(manager, admin);
  }, 60_000);
  afterAll(() => manager.close());

  beforeEach(async () => {
    const [newest] = await pricing.versions();
    if (newest?.state === 'staged') await pricing.unstage(newest.effective_from);
  });

  const getTimeAfter = (later: number) => new Date(clock.time + later).toISOString();
  const listAuditEvents = async () => {
    const { body } = await manager.client.call<{
      items: { operation: string; object_kind: string; object_id: string; changed_fields: string[] }[];
    }>('GET /v1/audit-events', { token: auditor, query: { limit: 1 } });
    return body.items[0];
  };
  const createCatalog = (...models: string[]) => ({
    spec: { entries: models.map((model) => ({ provider: 'openai', model, ...openai() })) },
  });
  /** Runs the test without any version, and restores all versions afterwards. */
  const runWithoutVersions = async (work: () => Promise<void>) => {
    await manager.sql('CREATE TABLE kept_catalogs AS TABLE pricing_catalogs');
    await manager.sql('DELETE FROM pricing_catalogs');
    try {
      await work();
    } finally {
      await manager.sql(
        `INSERT INTO pricing_catalogs (id, position, effective_from, source, provider_aliases, spec, created_at, created_by, baseline_date, withdrawn_at)
         OVERRIDING SYSTEM VALUE
         SELECT id, position, effective_from, source, provider_aliases, spec, created_at, created_by, baseline_date, withdrawn_at FROM kept_catalogs`,
      );
      await manager.sql('DROP TABLE kept_catalogs');
    }
  };

  it('is the baseline before the first write', async () => {
    const [baseline, ...others] = await pricing.versions();
    expect(others).toEqual([]);
    expect(baseline).toMatchObject({ source: 'baseline', state: 'in_effect' });
    expect(baseline).not.toHaveProperty('created_by');
    expect(Date.parse(baseline!.effective_from)).toBeLessThan(Date.parse('2010-01-01'));
    const catalog = await pricing.catalog();
    expect(catalog.spec.entries).toHaveLength(baseline!.entry_count);
    expect(baseline!.entry_count).toBeGreaterThan(0);
    expect(await pricing.version(baseline!.id)).toEqual({ ...baseline, ...catalog });
  });

  it('has an ETag, and returns 304 for a request with it', async () => {
    const etag = await pricing.tag();
    for (const [operation, path] of [
      ['GET /v1/budgets/pricing', {}],
      [
        'GET /v1/budgets/pricing/entries/{provider}/{model}',
        await pricing
          .catalog()
          .then(({ spec }) => ({ provider: spec.entries[0]!.provider, model: spec.entries[0]!.model })),
      ],
      ['GET /v1/budgets/pricing/catalogs/{id}', { id: (await pricing.versions())[0]!.id }],
    ] as const) {
      const first = await manager.client.call(operation, { token: auditor, path });
      const tag = first.headers.get('etag') ?? '';
      if (!operation.includes('{id}')) expect(tag).toBe(etag);
      const repeatRead = (ifNoneMatch: string) =>
        manager.client.call(operation, { token: auditor, path, headers: { 'if-none-match': ifNoneMatch } });
      expect([operation, (await repeatRead(tag)).status]).toEqual([operation, 304]);
      expect([operation, (await repeatRead('"another"')).status]).toEqual([operation, 200]);
    }
  });

  it('accepts its own response as a write, which creates a version of the operator', async () => {
    const before = await pricing.catalog();
    const tag = await pricing.tag();
    const { status, headers, body } = await pricing.put(before, tag);
    expect(status).toBe(200);
    expect(headers.get('etag')).not.toBe(tag);
    expect(headers.get('etag')).toBe(await pricing.tag());
    expect(body).toMatchObject({ source: 'operator', state: 'in_effect', created_by: 'admin', spec: before.spec });
    expect(body.effective_from).toBe(getTimeAfter(0));
    expect((await pricing.versions()).map(({ source, state }) => [source, state])).toEqual([
      ['operator', 'in_effect'],
      ['baseline', 'superseded'],
    ]);
    expect(await listAuditEvents()).toMatchObject({
      operation: 'Put pricing catalog',
      object_kind: 'pricing_catalog',
      object_id: body.id,
      changed_fields: [],
    });
  });

  it('is replaced completely, and the audit event names the differences', async () => {
    await pricing.put({ ...createCatalog('a', 'b'), provider_aliases: { azure: 'openai' } });
    await pricing.put({ ...createCatalog('b', 'c/d') });
    expect(await pricing.catalog()).toMatchObject({ provider_aliases: {}, ...createCatalog('b', 'c/d') });
    expect((await listAuditEvents())?.changed_fields).toEqual([
      'entries/openai/a',
      'entries/openai/c/d',
      'provider_aliases',
    ]);
    expect((await pricing.entry('openai', 'a')).status).toBe(404);
  });

  describe('an entry', () => {
    it('creates a version of the whole catalog with immediate effect', async () => {
      await pricing.put({ ...createCatalog('a', 'b'), provider_aliases: { azure: 'openai' } });
      const tag = await pricing.tag();
      const { status, headers } = await pricing.putEntry('openai', 'b', openai('7', '8'), tag);
      expect(status).toBe(204);
      expect(headers.get('etag')).toBe(await pricing.tag());
      const [newest, before] = await pricing.versions();
      expect([newest?.state, newest?.source, before?.state]).toEqual(['in_effect', 'operator', 'superseded']);
      expect(await pricing.catalog()).toMatchObject({
        effective_from: getTimeAfter(0),
        provider_aliases: { azure: 'openai' },
        spec: {
          entries: [createCatalog('a').spec.entries[0], { provider: 'openai', model: 'b', ...openai('7', '8') }],
        },
      });
      expect(await listAuditEvents()).toMatchObject({
        operation: 'Put pricing catalog entry',
        object_id: newest?.id,
        changed_fields: ['entries/openai/b'],
      });
    });

    it('can have slashes in the name of its model, written as / or %2F', async () => {
      await pricing.putEntry('openrouter', 'meta-llama/llama-4/maverick', openai('3', '4'));
      expect((await pricing.entry('openrouter', 'meta-llama/llama-4/maverick')).body).toEqual({
        provider: 'openrouter',
        model: 'meta-llama/llama-4/maverick',
        ...openai('3', '4'),
      });
      const plain = `${manager.baseUrl}/v1/budgets/pricing/entries/openrouter/meta-llama/llama-4/maverick`;
      const headers = { authorization: `Bearer ${auditor}` };
      expect((await fetch(plain, { headers })).status).toBe(200);
      expect((await fetch(`${plain}/more`, { headers })).status).toBe(404);
      const admin = await manager.issuer.token({ subject: 'admin', roles: ['admin'], expiresIn: FAR / 1000 });
      const gone = await fetch(plain, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${admin}`, 'if-match': await pricing.tag() },
      });
      expect(gone.status).toBe(204);
      expect((await pricing.entry('openrouter', 'meta-llama/llama-4/maverick')).status).toBe(404);
    });

    it.each([
      ['with blanks and percent signs', 'a b%2Fc%'],
      ['in another script', 'модель/模型'],
      ['of 300 characters', 'm'.repeat(300)],
      ['with a question mark and a hash', 'a?b#c'],
      ['that other objects inherit', 'constructor'],
    ])('can have the name %s', async (_, model) => {
      expect((await pricing.putEntry('openai', model, openai())).status).toBe(204);
      expect((await pricing.entry('openai', model)).body.model).toBe(model);
      expect((await pricing.deleteEntry('openai', model)).status).toBe(204);
      expect((await pricing.entry('openai', model)).status).toBe(404);
    });

    it('is deleted without changes to other entries, and the deletion of the last one leaves an empty catalog', async () => {
      await pricing.put(createCatalog('a', 'b'));
      const { headers } = await pricing.deleteEntry('openai', 'a');
      expect((await listAuditEvents())?.operation).toBe('Delete pricing catalog entry');
      expect((await listAuditEvents())?.changed_fields).toEqual(['entries/openai/a']);
      expect((await pricing.deleteEntry('openai', 'b', headers.get('etag'))).status).toBe(204);
      expect((await pricing.catalog()).spec.entries).toEqual([]);
      expect((await pricing.versions())[0]).toMatchObject({ entry_count: 0, state: 'in_effect' });
      expect((await pricing.putEntry('openai', 'a', openai())).status).toBe(204);
    });

    it('is found by the exact name of its provider, not by an alias', async () => {
      await pricing.put({ ...createCatalog('a'), provider_aliases: { azure: 'openai' } });
      expect((await pricing.entry('azure', 'a')).status).toBe(404);
      expect((await pricing.entry('openai', 'a')).status).toBe(200);
    });

    it('is refused if the catalog has 5,000 entries', async () => {
      const models = Array.from({ length: 5_000 }, (_, index) => `m-${index}`);
      expect((await pricing.put(createCatalog(...models))).status).toBe(200);
      const full = await pricing.putEntry('openai', 'one-more', openai());
      expect([full.status, full.body.error]).toEqual([422, expect.stringContaining('5000')]);
      expect((await pricing.putEntry('openai', 'm-4999', openai('9'))).status).toBe(204);
      const more = await pricing.put(createCatalog(...models, 'one-more'));
      expect([more.status, more.body.error]).toEqual([
        400,
        expect.stringContaining('spec.entries: must have at most 5000'),
      ]);
      await pricing.put(createCatalog('a'));
    }, 30_000);

    it('is refused when the catalog would be too large for PUT', async () => {
      const createBlock = (digits: number) => ({
        openai: {
          ...openai().openai,
          promptSizeTiers: Array.from({ length: 20 }, (_, tier) => ({
            aboveTokens: tier,
            inputUsdPerMillion: `1.${'1'.repeat(digits)}`,
            outputUsdPerMillion: `1.${'1'.repeat(digits)}`,
          })),
        },
      });
      const createEntry = (model: string) => ({ provider: 'openai', model, ...createBlock(12) });
      const each = JSON.stringify(createEntry('m-0000')).length + 1;
      const limit = 8 * 1024 * 1024 - 256 * 1024;
      const models = Array.from({ length: Math.floor(limit / each) }, (_, at) => `m-${String(at).padStart(4, '0')}`);
      expect((await pricing.put({ spec: { entries: models.map(createEntry) } })).status).toBe(200);
      const more = await pricing.putEntry('openai', 'more', createBlock(12));
      expect([more.status, more.body.error]).toEqual([422, expect.stringContaining('8 MiB')]);
      expect((await pricing.putEntry('openai', 'm-0000', createBlock(1))).status).toBe(204);
      expect((await pricing.put(await pricing.catalog())).status).toBe(200);
      await pricing.put(createCatalog('a'));
    }, 180_000);
  });

  describe('preconditions', () => {
    it('are required, with the ETag of the catalog or of an entry', async () => {
      await pricing.put(createCatalog('a'));
      const stale = await pricing.tag();
      const ofEntry = (await pricing.entry('openai', 'a')).headers.get('etag') ?? '';
      expect((await pricing.putEntry('openai', 'b', openai(), ofEntry)).status).toBe(204);
      const writes = {
        put: (tag: string | null) => pricing.put(createCatalog('a', 'b'), tag),
        putEntry: (tag: string | null) => pricing.putEntry('openai', 'a', openai(), tag),
        deleteEntry: (tag: string | null) => pricing.deleteEntry('openai', 'a', tag),
      };
      const before = await pricing.versions();
      for (const [name, write] of Object.entries(writes)) {
        expect([name, (await write(null)).status]).toEqual([name, 428]);
        for (const tag of [stale, '"nonsense"', `W/${await pricing.tag()}`])
          expect([name, tag, (await write(tag)).status]).toEqual([name, tag, 412]);
        expect([name, (await write('nonsense')).status]).toEqual([name, 400]);
      }
      expect(await pricing.versions()).toEqual(before);
      expect((await writes.put('*')).status).toBe(200);
    });

    it('are checked after existence and before states, in the order 400, 404, 428, 412, 409, 422', async () => {
      await pricing.put(createCatalog('a'));
      const stale = await pricing.tag();
      await pricing.put(createCatalog('a'));
      await pricing.put({ ...createCatalog('a'), effective_from: getTimeAfter(DAY) });
      expect((await pricing.putEntry('openai', 'a', {}, null)).status).toBe(400);
      expect((await pricing.put({ ...createCatalog('a'), effective_from: '1999-01-01T00:00:00Z' }, null)).status).toBe(
        400,
      );
      expect((await pricing.deleteEntry('openai', 'unknown', null)).status).toBe(404);
      expect((await pricing.deleteEntry('openai', 'a', null)).status).toBe(428);
      expect((await pricing.deleteEntry('openai', 'a', stale)).status).toBe(412);
      expect((await pricing.deleteEntry('openai', 'a')).status).toBe(409);
    });

    it('report a stale ETag when an older catalog is written again', async () => {
      await pricing.put(createCatalog('a'));
      const [older, tag] = [await pricing.catalog(), await pricing.tag()];
      clock.time += 5;
      await pricing.put(createCatalog('b'));
      clock.time += 5;
      expect((await pricing.put(older, tag)).status).toBe(412);
      const forced = await pricing.put(older);
      expect([forced.status, forced.body.error]).toEqual([400, expect.stringMatching(/^effective_from: /)]);
      const { effective_from: _, ...undated } = older;
      expect((await pricing.put(undated)).status).toBe(200);
    });
  });

  describe('a catalog without versions', () => {
    it('returns 404 to every operation', async () => {
      await runWithoutVersions(async () => {
        expect((await manager.client.call('GET /v1/budgets/pricing', { token: auditor })).status).toBe(404);
        expect((await pricing.entry('openai', 'a')).status).toBe(404);
        expect((await pricing.put(createCatalog('a'), '*')).status).toBe(404);
        expect((await pricing.putEntry('openai', 'a', openai(), '*')).status).toBe(404);
        expect((await pricing.deleteEntry('openai', 'a', '*')).status).toBe(404);
        expect(await pricing.versions()).toEqual([]);
      });
    });
  });

  describe('a staged version', () => {
    it('comes into effect exactly at its effective_from', async () => {
      await pricing.put(createCatalog('old'));
      const tag = await pricing.tag();
      const staged = await pricing.put({ ...createCatalog('new'), effective_from: getTimeAfter(DAY) });
      expect([staged.status, staged.body.state, staged.headers.get('etag')]).toEqual([200, 'staged', tag]);
      expect((await listAuditEvents())?.changed_fields).toEqual([
        'effective_from',
        'entries/openai/new',
        'entries/openai/old',
      ]);
      clock.time += DAY - 1;
      expect((await pricing.catalog()).spec.entries[0]?.model).toBe('old');
      expect(await pricing.tag()).toBe(tag);
      clock.time += 1;
      expect((await pricing.catalog()).spec.entries[0]?.model).toBe('new');
      expect(await pricing.tag()).not.toBe(tag);
      expect((await pricing.versions()).slice(0, 2).map(({ state }) => state)).toEqual(['in_effect', 'superseded']);
      expect((await pricing.putEntry('openai', 'x', openai(), tag)).status).toBe(412);
      expect((await pricing.putEntry('openai', 'x', openai())).status).toBe(204);
    });

    it('causes 409 for every other write until it is deleted', async () => {
      await pricing.put(createCatalog('a'));
      const { body } = await pricing.put({ ...createCatalog('b'), effective_from: getTimeAfter(DAY) });
      for (const write of [
        () => pricing.put(createCatalog('c')),
        () => pricing.put({ ...createCatalog('c'), effective_from: getTimeAfter(2 * DAY) }),
        () => pricing.putEntry('openai', 'a', openai()),
        () => pricing.deleteEntry('openai', 'a'),
      ]) {
        const { status, body: refused } = await write();
        expect([status, refused.error]).toEqual([409, expect.stringContaining(body.effective_from)]);
      }
      expect((await pricing.catalog()).spec).toEqual(createCatalog('a').spec);
      expect((await pricing.unstage(body.effective_from)).status).toBe(204);
      expect(await listAuditEvents()).toMatchObject({
        operation: 'Delete staged pricing catalog version',
        object_id: body.id,
        changed_fields: ['effective_from'],
      });
      expect((await pricing.versions()).map(({ id }) => id)).not.toContain(body.id);
      expect(await pricing.version(body.id)).toMatchObject({ state: 'withdrawn', spec: createCatalog('b').spec });
      expect((await pricing.putEntry('openai', 'a', openai())).status).toBe(204);
      clock.time += 2 * DAY;
      expect((await pricing.catalog()).spec.entries[0]?.model).toBe('a');
      expect((await pricing.unstage(body.effective_from)).status).toBe(404);
    });

    it('is identified by its instant in any RFC 3339 form', async () => {
      await pricing.put(createCatalog('a'));
      const moment = '2099-01-01T00:00:00.500Z';
      await pricing.put({ ...createCatalog('b'), effective_from: moment });
      for (const other of ['2099-01-01T00:00:00Z', '2099-01-01T00:00:00.5001Z', '2099-01-01T00:00:00.501Z'])
        expect([other, (await pricing.unstage(other)).status]).toEqual([other, 404]);
      for (const wrong of ['2099-01-01', 'tomorrow', '2099-01-01T00:00:00', '4070908800', '2099-02-30T00:00:00Z'])
        expect([wrong, (await pricing.unstage(wrong)).status]).toEqual([wrong, 400]);
      expect((await pricing.unstage('2099-01-01T02:00:00.500000+02:00')).status).toBe(204);
    });

    it('cannot be deleted once it is in effect', async () => {
      await pricing.put(createCatalog('a'));
      const { body } = await pricing.put({ ...createCatalog('b'), effective_from: getTimeAfter(DAY) });
      clock.time += DAY;
      expect((await pricing.unstage(body.effective_from)).status).toBe(409);
      clock.time += DAY;
      await pricing.put(createCatalog('c'));
      for (const { effective_from } of await pricing.versions())
        expect([effective_from, (await pricing.unstage(effective_from)).status]).toEqual([effective_from, 409]);
    });

    it('cannot have a time in the past or with more than three fraction digits', async () => {
      await pricing.put(createCatalog('a'));
      const before = await pricing.versions();
      for (const time of [
        getTimeAfter(-1),
        '1970-01-01T00:00:00Z',
        '2099-01-01T00:00:00.0001Z',
        '2099-01-01',
        'now',
        '',
        5,
        null,
      ]) {
        const { status, body } = await pricing.put({ ...createCatalog('b'), effective_from: time });
        expect([time, status, body.error]).toEqual([time, 400, expect.stringMatching(/^effective_from: /)]);
      }
      expect(await pricing.versions()).toEqual(before);
      clock.time += 1;
      expect((await pricing.put({ ...createCatalog('b'), effective_from: getTimeAfter(0) })).body.state).toBe(
        'in_effect',
      );
    });
  });

  describe('the list of versions', () => {
    it('has pages in both directions, newest first', async () => {
      for (const model of ['p1', 'p2', 'p3', 'p4']) await pricing.put(createCatalog(model));
      const all = await pricing.versions();
      const readPage = async (query: object) =>
        (
          await manager.client.call<{ items: Version[]; next_cursor?: string; prev_cursor?: string }>(
            'GET /v1/budgets/pricing/versions',
            { token: auditor, query: { limit: 3, ...query } },
          )
        ).body;
      const seen: Version[] = [];
      let cursor: string | undefined;
      let last;
      do {
        last = await readPage({ cursor });
        seen.push(...last.items);
        cursor = last.next_cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(all);
      expect((await readPage({ before: last.prev_cursor })).items).toEqual(
        all.slice(-last.items.length - 3, -last.items.length),
      );
      const times = all.map(({ created_at }) => created_at);
      expect([...times].sort().reverse()).toEqual(times);
      expect(all.filter(({ state }) => state === 'in_effect')).toHaveLength(1);
      const admin = await manager.issuer.token({ subject: 'admin', roles: ['admin'], expiresIn: FAR / 1000 });
      const foreign = await manager.client.call('GET /v1/budgets/pricing/versions', {
        token: admin,
        query: { cursor: (await readPage({})).next_cursor },
      });
      expect(foreign.status).toBe(400);
    });
  });

  it('keeps every version unchanged, also against writes with the database role of the service', async () => {
    const versions = (await pricing.versions()).filter(({ entry_count }) => entry_count < 1_000);
    const contents = await Promise.all(versions.map(({ id }) => pricing.version(id)));
    await pricing.put(createCatalog('z'));
    await pricing.deleteEntry('openai', 'z');
    const again = await Promise.all(versions.map(({ id }) => pricing.version(id)));
    expect(again.map(({ state: _, ...rest }) => rest)).toEqual(contents.map(({ state: _, ...rest }) => rest));
    const unknown = await manager.client.call('GET /v1/budgets/pricing/catalogs/{id}', {
      token: auditor,
      path: { id: UNKNOWN },
    });
    expect(unknown.status).toBe(404);
  });
});

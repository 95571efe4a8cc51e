import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { openai, createPricingClient, type Version } from './pricing-scene.ts';

const RATES = { inputUsdPerMillion: '1.25', outputUsdPerMillion: '10' };
const MIB = 1024 * 1024;

/** Invalid rates. */
const INVALID_RATES: [string, unknown][] = [
  ['a number', 1.25],
  ['negative', '-1'],
  ['with an exponent', '1e3'],
  ['of 40 digits', '1'.repeat(40)],
  ['of 40 digits behind the point', `0.${'1'.repeat(40)}`],
  ['of Arabic digits', '١٢'],
  ['of full-width digits', '１'],
  ['not a number', 'NaN'],
  ['infinite', 'Infinity'],
  ['empty', ''],
  ['with a blank', '1 '],
  ['with a line break', '1\n'],
  ['with a plus', '+1'],
  ['without digits before the point', '.5'],
  ['without digits behind the point', '1.'],
  ['with a comma', '1,5'],
  ['with zeros in front', '01'],
  ['hexadecimal', '0x10'],
  ['null', null],
  ['a list', ['1']],
];

describe('writes of the pricing catalog refuse', () => {
  let manager: TestManager;
  let pricing: ReturnType<typeof createPricingClient>;
  let before: Version[];

  beforeAll(async () => {
    manager = await startManager();
    pricing = createPricingClient(manager);
    before = await pricing.versions();
  }, 60_000);
  afterAll(async () => {
    // No write was stored.
    expect(await pricing.versions()).toEqual(before);
    await manager.close();
  });

  const createCatalog = (entry: object) => ({
    spec: {
      entries: [
        { provider: 'openai', model: 'ok', ...openai() },
        { provider: 'p', model: 'm', ...entry },
      ],
    },
  });
  /** Expects that both writes of a price refuse the block and name the path of the field. */
  const expectRefusal = async (entry: object, field: string, sentence: string | RegExp = '') => {
    const alone = await pricing.putEntry('p', 'm', entry);
    expect([alone.status, alone.body.error]).toEqual([400, expect.stringMatching(sentence)]);
    expect(alone.body.error).toContain(field === '' ? 'body: ' : `${field}: `);
    const within = await pricing.put(createCatalog(entry));
    expect([within.status, within.body.error]).toEqual([400, expect.stringMatching(sentence)]);
    expect(within.body.error).toContain(`spec.entries[1]${field === '' ? '' : `.${field}`}: `);
  };

  it.each(INVALID_RATES)('a rate that is %s', async (_, rate) => {
    await expectRefusal({ openai: { ...RATES, inputUsdPerMillion: rate } }, 'openai.inputUsdPerMillion');
    await expectRefusal(
      { google: { ...RATES, promptSizeTiers: [{ aboveTokens: 1, cachedInputUsdPerMillion: rate }] } },
      'google.promptSizeTiers[0].cachedInputUsdPerMillion',
    );
  });

  it.each(INVALID_RATES)('a tool’s price that is %s', async (_, rate) => {
    for (const [vendor, name] of [
      ['anthropic', 'webSearchUsdPerThousand'],
      ['google', 'groundingSearchUsdPerThousand'],
    ] as const) {
      const { status, body } = await pricing.put({ spec: { entries: [], tools: { [vendor]: { [name]: rate } } } });
      expect([status, body.error]).toEqual([400, expect.stringContaining(`spec.tools.${vendor}.${name}: `)]);
    }
  });

  it('an entry without a block or with two blocks', async () => {
    await expectRefusal({}, '', /anthropic, openai, google: exactly one of these rate blocks is required/);
    await expectRefusal({ openai: RATES, google: RATES }, '', /exactly one of these rate blocks is required/);
    await expectRefusal({ anthropic: RATES, openai: RATES, google: RATES }, '', /exactly one/);
    await expectRefusal({ openai: null }, 'openai');
    await expectRefusal({ openai: [] }, 'openai');
    await expectRefusal({ openai: 'free' }, 'openai');
  });

  it.each(['inputUsdPerMillion', 'outputUsdPerMillion'] as const)('a block without %s', async (missing) => {
    for (const vendor of ['anthropic', 'openai', 'google']) {
      const { [missing]: _, ...rest } = RATES;
      await expectRefusal({ [vendor]: rest }, `${vendor}.${missing}`, /is required/);
    }
  });

  it('unknown fields and fields of other vendors', async () => {
    await expectRefusal({ mistral: RATES }, 'mistral', /not a known field/);
    await expectRefusal({ openai: { ...RATES, inputUsd: '1' } }, 'openai.inputUsd', /not a known field/);
    await expectRefusal(
      { openai: { ...RATES, thoughtsOutputUsdPerMillion: '1' } },
      'openai.thoughtsOutputUsdPerMillion',
    );
    await expectRefusal({ anthropic: { ...RATES, audioInputUsdPerMillion: '1' } }, 'anthropic.audioInputUsdPerMillion');
    const tier = { aboveTokens: 1, reasoningOutputUsdPerMillion: '1' };
    await expectRefusal(
      { google: { ...RATES, promptSizeTiers: [tier] } },
      'google.promptSizeTiers[0].reasoningOutputUsdPerMillion',
      /is not a rate/,
    );
    await expectRefusal(
      { google: { ...RATES, promptSizeTiers: [{ ...tier, upTo: 5 }] } },
      'google.promptSizeTiers[0].upTo',
      /not a known field/,
    );
    for (const [body, field] of [
      [{ spec: { entries: [] }, note: 'x' }, 'note'],
      [{ spec: { entries: [], models: [] } }, 'spec.models'],
      [{ spec: { entries: [], tools: { mistral: {} } } }, 'spec.tools.mistral'],
      [
        { spec: { entries: [], tools: { google: { webSearchUsdPerThousand: '1' } } } },
        'spec.tools.google.webSearchUsdPerThousand',
      ],
    ] as const) {
      const { status, body: response } = await pricing.put(body);
      expect([field, status, response.error]).toEqual([
        field,
        400,
        expect.stringContaining(`${field}: is not a known field`),
      ]);
    }
  });

  it('tiers that are not in ascending order, have no rates or no whole number', async () => {
    const createTiers = (...of: object[]) => ({ openai: { ...RATES, promptSizeTiers: of } });
    const [low, high] = [
      { aboveTokens: 100, inputUsdPerMillion: '1' },
      { aboveTokens: 200, inputUsdPerMillion: '2' },
    ];
    await expectRefusal(createTiers(high, low), 'openai.promptSizeTiers[1].aboveTokens', /larger/);
    await expectRefusal(createTiers(low, low), 'openai.promptSizeTiers[1].aboveTokens', /larger/);
    await expectRefusal(createTiers({ aboveTokens: 5 }), 'openai.promptSizeTiers[0]', /at least one rate/);
    await expectRefusal(createTiers({ inputUsdPerMillion: '1' }), 'openai.promptSizeTiers[0].aboveTokens', /required/);
    for (const aboveTokens of [-1, 0.5, '100', 1e300, null, 1_000_000_001])
      await expectRefusal(createTiers({ ...low, aboveTokens }), 'openai.promptSizeTiers[0].aboveTokens');
    await expectRefusal({ openai: { ...RATES, promptSizeTiers: low } }, 'openai.promptSizeTiers');
    await expectRefusal(
      createTiers(...Array.from({ length: 21 }, (_, at) => ({ ...low, aboveTokens: at }))),
      'openai.promptSizeTiers',
      /at most 20/,
    );
  });

  it.each([
    ['empty', '', ''],
    ['of two lines', 'a\nb', 'a\nb'],
    ['of 201 and 301 characters', 'p'.repeat(201), 'm'.repeat(301)],
    ['that is .', '.', '.'],
    ['that is ..', '..', '..'],
    ['with an invisible line separator', 'a\u2028b', 'a\u2028b'],
    ['that is a number', 5, 5],
    ['that is missing', undefined, undefined],
  ])('a name %s', async (_, provider, model) => {
    for (const [field, entry] of [
      ['provider', { provider, model: 'm' }],
      ['model', { provider: 'p', model }],
    ] as const) {
      const { status, body } = await pricing.put({ spec: { entries: [{ ...entry, ...openai() }] } });
      expect([status, body.error]).toEqual([400, expect.stringContaining(`spec.entries[0].${field}: `)]);
    }
  });

  it('invalid names in a path', async () => {
    for (const [provider, model, field] of [
      ['p'.repeat(201), 'm', 'provider'],
      ['p', 'm'.repeat(301), 'model'],
      ['p', 'm'.repeat(3_000), 'model'],
      ['p', 'a\nb', 'model'],
    ] as const) {
      const { status, body } = await pricing.putEntry(provider, model, openai());
      expect([status, body.error]).toEqual([400, expect.stringContaining(`${field}: `)]);
      expect((await pricing.entry(provider, model)).status).toBe(400);
      expect((await pricing.deleteEntry(provider, model)).status).toBe(400);
    }
    // A path without a name does not exist.
    expect((await pricing.putEntry('p', '', openai())).status).toBe(404);
  });

  it('a model twice', async () => {
    const twice = { provider: 'openai', model: 'a/b', ...openai() };
    const { status, body } = await pricing.put({ spec: { entries: [twice, { ...twice, ...openai('5') }] } });
    expect([status, body.error]).toEqual([
      400,
      expect.stringContaining('spec.entries[1]: has the same provider and model as an earlier entry'),
    ]);
  });

  it('aliases of aliases, and invalid names of aliases', async () => {
    for (const [aliases, field] of [
      [{ a: 'b', b: 'c' }, 'provider_aliases.a'],
      [{ a: 'a' }, 'provider_aliases.a'],
      [{ a: '' }, 'provider_aliases.a'],
      [{ a: 1 }, 'provider_aliases.a'],
      [{ '': 'a' }, 'provider_aliases.'],
      [{ 'a\nb': 'a' }, 'provider_aliases.a?b'],
      [{ ['x'.repeat(201)]: 'a' }, 'provider_aliases.x'],
      [['a'], 'provider_aliases'],
      [Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`a${at}`, 'openai'])), 'provider_aliases'],
    ] as const) {
      const { status, body } = await pricing.put({ provider_aliases: aliases, spec: { entries: [] } });
      expect([field, status, body.error]).toEqual([field, 400, expect.stringContaining(field)]);
    }
    const inherited = await manager.client.call<{ error: string }>('PUT /v1/budgets/pricing', {
      token: manager.tokens.admin,
      headers: { 'if-match': await pricing.tag() },
      raw: { body: '{"provider_aliases":{"__proto__":"a"},"spec":{"entries":[]}}' },
    });
    expect([inherited.status, inherited.body.error]).toEqual([400, expect.stringContaining('__proto__')]);
  });

  it('bodies that are not a catalog', async () => {
    for (const body of [
      null,
      [],
      'x',
      5,
      {},
      { spec: null },
      { spec: {} },
      { spec: { entries: {} } },
      { spec: { entries: [null] } },
    ])
      expect([body, (await pricing.put(body)).status]).toEqual([body, 400]);
    const tag = await pricing.tag();
    const putRaw = (body: string, contentType?: string) =>
      manager.client.call('PUT /v1/budgets/pricing', {
        token: manager.tokens.admin,
        headers: { 'if-match': tag },
        raw: { body, ...(contentType !== undefined && { contentType }) },
      });
    expect((await putRaw('{')).status).toBe(400);
    expect((await putRaw('')).status).toBe(400);
    expect((await putRaw('{"spec":{"entries":[]},"spec":{"entries":[]}}')).status).toBe(400);
    expect((await putRaw('{"spec":{"entries":[]}}', 'text/plain')).status).toBe(415);
  });

  it('bodies above 8 MiB, and above 1 MiB for a single price', async () => {
    const { admin } = manager.tokens;
    const headers = { 'if-match': await pricing.tag() };
    const createPadded = (size: number) => '{"nothing":1}'.padEnd(size, ' ');
    const entry = { path: { provider: 'p', model: 'm' } };
    for (const [operation, limit, more] of [
      ['PUT /v1/budgets/pricing', 8 * MIB, {}],
      ['PUT /v1/budgets/pricing/entries/{provider}/{model}', MIB, entry],
    ] as const) {
      const sendPadded = (size: number) =>
        manager.client.call(operation, { token: admin, headers, ...more, raw: { body: createPadded(size) } });
      expect([operation, (await sendPadded(limit + 1)).status]).toEqual([operation, 413]);
      expect([operation, (await sendPadded(limit)).status]).toEqual([operation, 400]);
    }
  });

  it('several violations at once, and report at most five of them', async () => {
    const entries = Array.from({ length: 9 }, () => ({ provider: '', model: 'm', ...openai() }));
    const { body } = await pricing.put({ spec: { entries } });
    expect(body.error).toContain('spec.entries[0].provider: ');
    expect(body.error).toContain('spec.entries[4].provider: ');
    expect(body.error).toMatch(/; and more$/);
  });
});

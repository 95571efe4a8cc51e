import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { Gateway, price, reserve } from './usage-scene.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const CHARGED = {
  status: 'charged',
  event_id: expect.stringMatching(UUID),
  charged_usd: '0.003500000',
  basis: 'reported',
};

const UNREGISTERED = {
  status: 'rejected',
  error: 'gateway_id: no gateway of the kind ai with this id is registered for the client of this token',
};

describe('reported usage', () => {
  let manager: TestManager;
  let catalog: string;
  const gateway = new Gateway(() => manager);
  beforeAll(async () => {
    manager = await startManager();
    catalog = await price(
      manager,
      [
        { provider: 'openai', model: 'm', openai: { inputUsdPerMillion: '2.5', outputUsdPerMillion: '10' } },
        { provider: 'openai', model: 'free', openai: { inputUsdPerMillion: '0', outputUsdPerMillion: '0' } },
        { provider: 'anthropic', model: 'c', anthropic: { inputUsdPerMillion: '3', outputUsdPerMillion: '15' } },
        { provider: 'google', model: 'g', google: { inputUsdPerMillion: '1', outputUsdPerMillion: '4' } },
      ],
      undefined,
      { anthropic: { webSearchUsdPerThousand: '9999999' } },
    );
  }, 60_000);
  afterEach(async () => expect(await ledgerDifferences(manager.sql)).toEqual([]));
  afterAll(() => manager.close());

  const readEvents = async (interaction: unknown) =>
    manager.sql<Record<string, unknown>>('SELECT * FROM usage_events WHERE interaction_id = $1', [interaction]);
  const readTotal = async () =>
    (
      await manager.sql<{ usd: string; n: number }>(
        'SELECT coalesce(sum(charged_usd), 0)::text AS usd, count(*)::int AS n FROM charges',
      )
    )[0];

  it('has one result for each item in order, and an invalid item does not affect others', async () => {
    const before = await readTotal();
    const results = await gateway.results(
      gateway.report(),
      'no object',
      gateway.report({ attempt: 2 }),
      null,
      gateway.report({ unknown: 1 }),
      gateway.report({ model: 'unknown' }),
      gateway.report(),
    );
    expect(results).toEqual([
      CHARGED,
      { status: 'rejected', error: expect.stringMatching(/^body: must be an object$/) },
      CHARGED,
      { status: 'rejected', error: expect.stringMatching(/^body: must be an object$/) },
      { status: 'rejected', error: 'unknown: is not a known field' },
      { status: 'unpriceable', event_id: expect.stringMatching(UUID) },
      CHARGED,
    ]);
    expect((await readTotal())?.n).toBe((before?.n ?? 0) + 3);
    expect(await gateway.results()).toEqual([]);
  });

  it('is accepted beside items that exceed the limits of a body', async () => {
    const deep = JSON.parse('['.repeat(200) + ']'.repeat(200)) as unknown;
    const wide = Array.from({ length: 50_000 }, () => 0);
    const proto = JSON.parse('{"__proto__":1}') as object;
    expect(
      await gateway.results(
        gateway.report({ raw_usage: { prompt_tokens: 1, deep } }),
        gateway.report(),
        Object.assign(Object.create(null), proto, gateway.report()),
        gateway.report({ raw_usage: { prompt_tokens: 1, wide } }),
        gateway.report(),
      ),
    ).toEqual([
      { status: 'rejected', error: 'body: is nested deeper than 100 levels' },
      CHARGED,
      { status: 'rejected', error: 'body: the key "__proto__" is not allowed' },
      { status: 'rejected', error: 'body: has more than 50,000 values' },
      CHARGED,
    ]);
  });

  it('is rejected for a gateway that is not registered for the caller, and its reservation stays', async () => {
    const interaction_id = randomUUID();
    await reserve(manager, { interaction_id, catalog });
    expect(
      await gateway.results(
        gateway.report({ interaction_id, gateway_id: 'taken-away' }),
        gateway.report({ gateway_id: 'taken-away' }),
      ),
    ).toEqual([UNREGISTERED, UNREGISTERED]);
    expect(await manager.sql('SELECT FROM reservations WHERE interaction_id = $1', [interaction_id])).toHaveLength(1);
    expect(await gateway.results(gateway.report(), gateway.report({ gateway_id: 'local' }), gateway.report())).toEqual([
      CHARGED,
      UNREGISTERED,
      CHARGED,
    ]);
  });

  it.each<[string, object, string]>([
    [
      'a negative count',
      { raw_usage: { prompt_tokens: -1 } },
      'raw_usage.prompt_tokens: must be a whole number from 0 to 10000000000',
    ],
    [
      'a count beyond any request',
      { raw_usage: { prompt_tokens: 1e300 } },
      'raw_usage.prompt_tokens: must be a whole number from 0 to 10000000000',
    ],
    [
      'half a token',
      { raw_usage: { completion_tokens: 0.5 } },
      'raw_usage.completion_tokens: must be a whole number from 0 to 10000000000',
    ],
    [
      'a count as text',
      { raw_usage: { prompt_tokens_details: { cached_tokens: '5' } } },
      'raw_usage.prompt_tokens_details.cached_tokens: must be a whole number from 0 to 10000000000',
    ],
    [
      'a bad estimate',
      { raw_usage: null, estimated_usage: { prompt_tokens: -5 } },
      'estimated_usage.prompt_tokens: must be a whole number from 0 to 10000000000',
    ],
    [
      'a bad count of an unknown model',
      { model: 'x', raw_usage: { output_tokens: -5 } },
      'raw_usage.output_tokens: must be a whole number from 0 to 10000000000',
    ],
    [
      'more than an amount can hold',
      {
        provider: 'anthropic',
        model: 'c',
        raw_usage: { input_tokens: 1, server_tool_use: { web_search_requests: 1e10 } },
      },
      'raw_usage: comes to more than an amount can hold',
    ],
    ['a list as usage', { raw_usage: [1] }, 'raw_usage: must be an object'],
    ['no raw usage at all', { raw_usage: undefined }, 'raw_usage: is required'],
    ['attempt 0', { attempt: 0 }, 'attempt: must be at least 1'],
    ['an attempt beyond integers', { attempt: 4_294_967_297 }, 'attempt: must be at most 1000000000'],
    ['an empty interaction', { interaction_id: '' }, 'interaction_id: must have at least 1 character'],
    ['NUL in a name', { model: 'a\0b' }, 'model: must be one line of text'],
    ['half a surrogate pair', { route: '\ud800' }, 'route: must be one line of text'],
    ['a model longer than any', { model: 'ä'.repeat(257) }, 'model: must have at most 512 bytes'],
    [
      'an outcome that is none',
      { outcome: 'lost' },
      'outcome: must be one of "delivered", "client_disconnect", "upstream_error", "blocked_downstream"',
    ],
    [
      'a time that is none',
      { event_time: 'yesterday' },
      'event_time: must be a time as in RFC 3339, for example 2026-01-31T09:00:00Z',
    ],
    [
      'both kinds of principal',
      { principal: { issuer: 'https://a.example.com', subject: 'a', virtual_key_id: 'b' } },
      'principal: must be either {"issuer", "subject"} of a verified token or {"virtual_key_id"}',
    ],
    [
      'a key that never was',
      { principal: { virtual_key_id: 'abcdefgh' } },
      'principal.virtual_key_id: there is no such key',
    ],
    [
      'a person with a name longer than keys hold',
      { principal: { issuer: `https://a.example.com/${'x'.repeat(806)}`, subject: 'a' } },
      'principal: its name must have at most 829 bytes',
    ],
    ['a negative duration', { duration_ms: -1 }, 'duration_ms: must be at least 0'],
    ['a status beyond HTTP', { upstream_status: 1_000 }, 'upstream_status: must be at most 999'],
    ['a reservation that is no id', { reservation_id: 'x' }, 'reservation_id: must be a UUID'],
  ])('is rejected with the name of the field for %s, and is not stored', async (_, overrides, error) => {
    const bad = gateway.report(overrides as Record<string, unknown>);
    const [first, rejected, last] = await gateway.results(gateway.report(), bad, gateway.report());
    expect([first?.status, last?.status]).toEqual(['charged', 'charged']);
    expect(rejected).toEqual({ status: 'rejected', error });
    if (typeof bad.interaction_id === 'string' && bad.interaction_id !== '')
      expect(await readEvents(bad.interaction_id)).toEqual([]);
    // A corrected report is charged, because the rejected one was not stored.
    const { interaction_id } = gateway.report();
    if (!('interaction_id' in overrides))
      expect((await gateway.result({ ...overrides, interaction_id })).status).toBe('rejected');
    expect((await gateway.result({ interaction_id })).status).toBe('charged');
  });

  it('is accepted with 1,000 items, and refused with one more and above 8 MiB', async () => {
    const many = Array.from({ length: 1_000 }, () => gateway.report({ principal: gateway.person('many') }));
    expect(new Set((await gateway.results(...many)).map(({ status }) => status))).toEqual(new Set(['charged']));
    const before = await readTotal();
    const more = await gateway.send([...many, gateway.report()]);
    expect([more.status, more.body.error]).toEqual([400, 'events: must have at most 1000 items']);
    const send = (text: string) =>
      fetch(`${manager.baseUrl}/webhooks/budgets/usage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${manager.tokens.gateway}`, 'content-type': 'application/json' },
        body: text,
      });
    const createPadded = (bytes: number) => {
      const text = JSON.stringify({ events: [gateway.report({ raw_usage: { prompt_tokens: 1, note: '' } })] });
      return text.replace('"note":""', `"note":"${'x'.repeat(bytes - text.length)}"`);
    };
    const [fits, large] = [createPadded(8 * 1024 * 1024), createPadded(8 * 1024 * 1024 + 1)];
    expect([fits.length, large.length]).toEqual([8_388_608, 8_388_609]);
    expect((await send(large)).status).toBe(413);
    expect(await readTotal()).toEqual(before);
    expect((await send(fits)).status).toBe(200);
    for (const body of [{}, { events: {} }, { events: null }, [], 7]) {
      const response = await manager.client.call('POST /webhooks/budgets/usage', {
        token: manager.tokens.gateway,
        body,
      });
      expect(response.status).toBe(400);
    }
  });

  describe('an unusual usage object', () => {
    const RAW =
      '{ "__proto__": {"prompt_tokens": 9}, "constructor": 1,\n "n": 0.1234567890123456789, "big": 1e400, "b": 1, "a": 2, "a": 3, "prompt_tokens":1000, "completion_tokens":1e2 }';
    const send = async (...raws: string[]) => {
      const report = gateway.report({ raw_usage: 'RAW', estimated_usage: 'RAW' });
      const events = raws.map((raw) => JSON.stringify(report).replaceAll('"RAW"', raw));
      const { status, body } = await manager.client.call<{ results: { event_id: string; status: string }[] }>(
        'POST /webhooks/budgets/usage',
        { token: manager.tokens.gateway, raw: { body: `{"events":[${events.join()}]}` } },
      );
      expect(status).toBe(200);
      return body.results;
    };

    it('is stored and returned byte for byte, and charged by its counts', async () => {
      const [receipt] = await send(RAW);
      expect(receipt).toEqual(CHARGED);
      const [event] = await manager.sql<{ raw: string; estimated: string }>(
        'SELECT raw_usage::text AS raw, estimated_usage::text AS estimated FROM usage_events WHERE id = $1',
        [receipt?.event_id],
      );
      expect(event).toEqual({ raw: RAW, estimated: RAW });
      for (const accept of ['application/json', 'application/x-ndjson']) {
        const response = await fetch(`${manager.baseUrl}/v1/budgets/events?limit=1`, {
          headers: { authorization: `Bearer ${manager.tokens.admin}`, accept },
        });
        // A row of NDJSON is one line, so a space takes the place of a line break between tokens.
        const text = accept === 'application/json' ? RAW : RAW.replaceAll('\n', ' ');
        expect(await response.text()).toContain(`"raw_usage":${text},"estimated_usage":${text}`);
      }
    });

    it('is equal with other spellings of its numbers, and different with another digit', async () => {
      const results = await send(
        RAW,
        RAW.replace('1e2', '100.0').replace('1e400', '10E+399'),
        RAW.replace('789,', '788,'),
        RAW.replace('1e400', '1e401'),
      );
      expect(results.map(({ status }) => status)).toEqual(['charged', 'duplicate', 'conflict', 'conflict']);
    });
  });

  it('is charged once for all kinds of repeats', async () => {
    const report = gateway.report();
    const [first] = await gateway.results(report);
    const before = await readTotal();
    const { event_time, raw_usage, ...rest } = report;
    const reordered = { raw_usage, ...rest, event_time };
    const results = await gateway.results(report, reordered, gateway.report(), report);
    const repeat = { ...first, status: 'duplicate' };
    expect(results).toEqual([repeat, repeat, CHARGED, repeat]);
    expect((await readTotal())?.n).toBe((before?.n ?? 0) + 1);
  });

  it('is charged once, by the first of two reports in one batch', async () => {
    const report = gateway.report();
    const other = { ...report, raw_usage: { prompt_tokens: 9 } };
    const [first, twice, different] = await gateway.results(report, report, other);
    expect(first).toEqual(CHARGED);
    expect(twice).toEqual({ ...first, status: 'duplicate' });
    expect(different).toEqual({ ...first, status: 'conflict', error: expect.stringMatching(/^interaction_id: /) });
    expect(await readEvents(report.interaction_id)).toHaveLength(1);
    // A rejected first report does not prevent the second.
    const mended = gateway.report();
    const [refused, taken] = await gateway.results({ ...mended, raw_usage: { prompt_tokens: -1 } }, mended);
    expect([refused?.status, taken]).toEqual(['rejected', CHARGED]);
  });

  it.each<[string, object]>([
    ['usage', { raw_usage: { prompt_tokens: 1 } }],
    ['outcome', { outcome: 'client_disconnect' }],
    ['model', { model: 'free' }],
    ['user', { principal: { issuer: 'https://other.example.com', subject: 'alice' } }],
    ['time', { event_time: '2026-01-01T00:00:00Z' }],
    ['duration', { duration_ms: 13 }],
    ['reservation', { reservation_id: randomUUID() }],
  ])('is a conflict if it is repeated with another %s, and the first report stays', async (_, overrides) => {
    const report = gateway.report();
    const [first] = await gateway.results(report);
    const before = await readTotal();
    const [conflict] = await gateway.results({ ...report, ...overrides });
    expect(conflict).toEqual({
      ...first,
      status: 'conflict',
      error: 'interaction_id: this attempt was reported before with other content; that report stays as it is',
    });
    expect(await readTotal()).toEqual(before);
    expect(await gateway.results(report)).toEqual([{ ...first, status: 'duplicate' }]);
  });

  it('is charged for each attempt of an interaction, and for equal attempt numbers of other interactions', async () => {
    const { interaction_id } = gateway.report();
    const attempts = [1, 2, 3].map((attempt) => gateway.report({ interaction_id, attempt }));
    expect((await gateway.results(...attempts)).map(({ status }) => status)).toEqual(['charged', 'charged', 'charged']);
    // A key that concatenates the texts would treat these as one attempt.
    const alike = [
      gateway.report({ interaction_id: `${interaction_id} 1`, attempt: 1 }),
      gateway.report({ interaction_id, attempt: 11 }),
    ];
    expect((await gateway.results(...alike)).map(({ status }) => status)).toEqual(['charged', 'charged']);
  });

  describe.each(['delivered', 'client_disconnect', 'upstream_error', 'blocked_downstream'])(
    'reported usage of a request that ended with %s',
    (outcome) => {
      const none = { charged_usd: '0.000000000', basis: 'none' };
      const held = outcome === 'upstream_error' ? none : { charged_usd: '0.250000000', basis: 'estimated' };
      it.each<[string, object, object, object]>([
        [
          'what the vendor reported',
          { raw_usage: { prompt_tokens: 1_000, completion_tokens: 100 }, estimated_usage: { prompt_tokens: 7 } },
          { charged_usd: '0.003500000', basis: 'reported' },
          { charged_usd: '0.003500000', basis: 'reported' },
        ],
        [
          'an estimate where the vendor reported nothing',
          { raw_usage: null, estimated_usage: { prompt_tokens: 1_000 } },
          { charged_usd: '0.002500000', basis: 'estimated' },
          { charged_usd: '0.002500000', basis: 'estimated' },
        ],
        [
          'an estimate where the report has no count',
          { raw_usage: { service_tier: 'default' }, estimated_usage: { prompt_tokens: 1_000 } },
          { charged_usd: '0.002500000', basis: 'estimated' },
          { charged_usd: '0.002500000', basis: 'estimated' },
        ],
        ['what was reserved where there is neither, unless the upstream failed', { raw_usage: null }, held, none],
        [
          'what was reserved where both are empty, unless the upstream failed',
          { raw_usage: {}, estimated_usage: {} },
          held,
          none,
        ],
        [
          'zero where zero was reported',
          { raw_usage: { prompt_tokens: 0, completion_tokens: 0 } },
          { charged_usd: '0.000000000', basis: 'reported' },
          { charged_usd: '0.000000000', basis: 'reported' },
        ],
      ])('is charged by %s', async (_, usage, admitted, unadmitted) => {
        const { interaction_id } = gateway.report();
        const reservation_id = await reserve(manager, { interaction_id, catalog, usd: '0.25' });
        expect(await gateway.result({ interaction_id, reservation_id, outcome, ...usage })).toMatchObject({
          status: 'charged',
          ...admitted,
        });
        expect(await gateway.result({ outcome, ...usage })).toMatchObject({ status: 'charged', ...unadmitted });
      });
    },
  );

  it.each<[string, object, object[]]>([
    [
      'OpenAI',
      { provider: 'openai', model: 'm' },
      [
        { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
        { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100, input_tokens_details: { cached_tokens: 0 } },
      ],
    ],
    [
      'Anthropic',
      { provider: 'anthropic', model: 'c' },
      [
        { input_tokens: 1_000, output_tokens: 100 },
        { input_tokens: 1_000, output_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      ],
    ],
    [
      'Google',
      { provider: 'google', model: 'g' },
      [
        { promptTokenCount: 1_000, candidatesTokenCount: 100, totalTokenCount: 1_100 },
        { promptTokenCount: 1_000, candidatesTokenCount: 100, thoughtsTokenCount: 0 },
      ],
    ],
  ])('costs the same for %s streamed and not streamed, for all routes and outcomes', async (_, model, usages) => {
    const results = await gateway.results(
      ...usages.flatMap((raw_usage) =>
        ['/v1/messages', '/v1/responses:stream'].flatMap((route) =>
          ['delivered', 'client_disconnect', 'blocked_downstream', 'upstream_error'].map((outcome) =>
            gateway.report({ ...model, raw_usage, route, outcome, duration_ms: 1 }),
          ),
        ),
      ),
    );
    const charges = new Set(results.map(({ charged_usd }) => charged_usd));
    expect([results.length, charges.size, charges.has('0.000000000')]).toEqual([16, 1, false]);
  });

  it('is stored as reported, with the groups and the entry of its user', async () => {
    const raw_usage = {
      prompt_tokens: 5,
      'x\u0000y': 'a\ud800b',
      nested: { ü: [1, null, true], '2': 0, '1': 0 },
      big: 12345678901234,
    };
    const report = gateway.report({ raw_usage, estimated_usage: { prompt_tokens: 6 }, provider: 'azure', model: 'm' });
    const [first] = await gateway.results(report);
    expect(first?.status).toBe('charged');
    const [event] = await manager.sql<Record<string, unknown>>(
      'SELECT *, raw_usage::text AS raw FROM usage_events WHERE id = $1',
      [first?.event_id],
    );
    expect(event).toMatchObject({
      auth_issuer: manager.issuer.issuer,
      auth_subject: 'alice',
      platform_user_id: await manager.findUserId('alice'),
      provider: 'azure',
      raw: JSON.stringify(raw_usage),
      estimated_usage: { prompt_tokens: 6 },
    });
    expect(await gateway.results(report)).toEqual([{ ...first, status: 'duplicate' }]);
    const [charge] = await manager.sql<Record<string, unknown>>(
      'SELECT *, charged_usd::text AS usd FROM charges WHERE event_id = $1',
      [first?.event_id],
    );
    expect(charge).toMatchObject({
      ...{ interaction_id: report.interaction_id, scope: 'user', subject_id: 'alice', charge_period: 'month' },
      ...{ usage: { input: 5 }, usd: '0.000012500', pricing_catalog_id: catalog, provider: 'azure', model: 'm' },
    });
  });

  it('is charged 0 for a free model, as reported', async () => {
    expect(await gateway.result({ model: 'free' })).toMatchObject({
      status: 'charged',
      charged_usd: '0.000000000',
      basis: 'reported',
    });
  });

  it('is accepted only from gateways', async () => {
    for (const token of [manager.tokens.admin, manager.tokens.alice, manager.tokens.auditor])
      expect((await manager.client.call('POST /webhooks/budgets/usage', { token, body: { events: [] } })).status).toBe(
        403,
      );
    expect((await manager.client.call('POST /webhooks/budgets/usage', { body: { events: [] } })).status).toBe(401);
  });
});

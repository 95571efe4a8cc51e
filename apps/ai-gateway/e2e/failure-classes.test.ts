import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readUsd, writeUsd } from '@gatehouse/money/usd';
import { eventually } from '@gatehouse/testing/eventually';
import type { FormatName } from './support/format-requests.ts';
import { type ChargedEvent, FORMAT_NAMES, MeteredCaller } from './support/metered-caller.ts';
import { MeteredWorld } from './support/metered-world.ts';
import { nameRequest } from './support/sdk-target.ts';

const ZERO = { inputUsdPerMillion: '0', outputUsdPerMillion: '0' };
const FREE_MODELS: Readonly<Record<FormatName, string>> = {
  chat: 'gpt-6-luna',
  response: 'gpt-6-luna',
  message: 'claude-sonnet-5-5',
  content: 'gemini-3.8-flash',
};
const FREE_PRICES = [
  { provider: 'openai', model: 'gpt-6-luna', openai: ZERO },
  { provider: 'anthropic', model: 'claude-sonnet-5-5', anthropic: ZERO },
  { provider: 'google', model: 'gemini-3.8-flash', google: ZERO },
];
/** The status of each vendor for a budget that is used up. */
const EXHAUSTED: Readonly<Record<FormatName, number>> = { chat: 429, response: 429, message: 402, content: 429 };
const VENDORS = { chat: 'openai', response: 'openai', message: 'anthropic', content: 'google' } as const;

const createRoute = (name: string, ...backends: readonly (readonly [provider: string, model: string])[]) => ({
  match: { model: name },
  backends: backends.map(([provider, model], priority) => ({ provider, model, priority, weight: 1 })),
});
const ROUTES = [
  createRoute('cheaper-fallback', ['openai', 'gpt-5.4'], ['openai', 'gpt-5.4-mini']),
  createRoute('dearer-fallback', ['openai', 'gpt-5.4-mini'], ['openai', 'gpt-5.4']),
  createRoute('gpt-6-luna', ['openai', 'gpt-6-luna']),
  ...Object.values(VENDORS).map((vendor) => createRoute(`unpriced-${vendor}`, [vendor, `unpriced-${vendor}`])),
];

const sum = (events: readonly ChargedEvent[]) =>
  writeUsd(events.reduce((total, { charged_usd }) => total + readUsd(charged_usd ?? '0'), 0n));

/** Reads a stream until it contains a text. @throws {Error} if it ends before */
async function readUntil(body: ReadableStream<Uint8Array>, text: string): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let read = ''; !read.includes(text);) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream has no ${text}: ${read}`);
    read += decoder.decode(value, { stream: true });
  }
}

describe('model calls', () => {
  let world: MeteredWorld;
  beforeAll(async () => {
    const environment = { ADDITIONAL_PRICES: JSON.stringify(FREE_PRICES) };
    world = await MeteredWorld.open({ gateways: 2, environment, routes: ROUTES });
  }, 120_000);
  afterAll(() => world.close());

  const readWhole = async (response: Promise<Response>) => {
    const { status } = await response;
    return { status, text: await (await response).text() };
  };

  it('never spend more than their budget, however many are sent at once through two gateways', async () => {
    const caller = await MeteredCaller.create(world, '0.05');
    const name = nameRequest();
    const facts = { text: `[[sim: name=${name} output=1000]]`, maxTokens: 1_000 };
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        readWhole(caller.send(FORMAT_NAMES[at % 4]!, { ...facts, isStream: at % 3 === 0 }, { gateway: at % 2 })),
      ),
    );
    const delivered = answers.filter(({ status }) => status === 200);
    const denied = answers.filter(({ status }) => status === 402 || status === 429);
    expect([denied.length > 0, delivered.length]).toEqual([true, answers.length - denied.length]);
    expect(delivered.length).toBeGreaterThan(0);
    expect(await caller.readRequests(name)).toHaveLength(delivered.length);
    const events = await caller.untilEvents(delivered.length);
    expect(readUsd(sum(events))).toBeLessThanOrEqual(readUsd('0.05'));
  });

  it('are charged although the gateway is killed right after their last byte', async () => {
    const caller = await MeteredCaller.create(world);
    const facts = { text: '[[sim: input=1000 output=100]]' };
    for (const format of FORMAT_NAMES) {
      expect((await readWhole(caller.send(format, { ...facts, isStream: format !== 'chat' }))).status).toBe(200);
      await world.gateways[0]!.kill();
      await world.gateways[0]!.start();
    }
    const events = await caller.untilEvents(4);
    expect(events.map(({ outcome, basis }) => [outcome, basis])).toEqual(events.map(() => ['delivered', 'reported']));
  }, 60_000);

  it('are charged when the enterprise manager ends during the answer and comes back', async () => {
    const caller = await MeteredCaller.create(world);
    const answers = await Promise.all(
      FORMAT_NAMES.map((format) => caller.send(format, { text: '[[sim: chunks=50 delay_ms=20]]', isStream: true })),
    );
    await world.manager.kill();
    for (const answer of answers) expect([answer.status, (await answer.text()).includes(' 49')]).toEqual([200, true]);
    await world.manager.restart();
    const events = await caller.untilEvents(4);
    expect(events.map(({ outcome, basis }) => [outcome, basis])).toEqual(events.map(() => ['delivered', 'reported']));
  }, 60_000);

  it('have one event each, whatever ids the client repeats, and reads of stored answers have none', async () => {
    const caller = await MeteredCaller.create(world);
    const headers = { 'x-request-id': 'same', 'idempotency-key': 'same' };
    for (const format of [...FORMAT_NAMES, ...FORMAT_NAMES])
      expect((await readWhole(caller.send(format, {}, { headers }))).status).toBe(200);
    const embedding = JSON.stringify({ model: 'text-embedding-3-small', input: 'Hello' });
    expect((await readWhole(caller.post('/v1/embeddings', embedding, { headers }))).status).toBe(200);
    const stored = await fetch(`${world.gateways[0]!.url}/v1/responses/resp_1`, {
      headers: { authorization: `Bearer ${caller.token}` },
    });
    expect([stored.status, await stored.json()]).toMatchObject([404, { error: { type: 'invalid_request_error' } }]);
    const events = await caller.untilEvents(9);
    expect(new Set(events.map(({ interaction_id }) => interaction_id)).size).toBe(9);
    expect(events.filter(({ charged_usd = '0' }) => readUsd(charged_usd) === 0n)).toEqual([]);
  });

  it.each(FORMAT_NAMES)('have the charge of the usage, streamed or not: %s', async (format) => {
    const text = '[[sim: input=1200 cached=200 output=40 reasoning=5]]';
    const caller = await MeteredCaller.create(world);
    for (const isStream of [true, false]) await readWhole(caller.send(format, { text, isStream }));
    const events = await caller.untilEvents(2);
    expect(new Set(events.map(({ charged_usd }) => charged_usd)).size).toBe(1);
    expect(events.map(({ basis }) => basis)).toEqual(['reported', 'reported']);
  });

  it.each(FORMAT_NAMES)('have the whole charge for a client that leaves before the usage: %s', async (format) => {
    const text = '[[sim: chunks=6 delay_ms=40 input=1000 output=500]]';
    const caller = await MeteredCaller.create(world);
    await readWhole(caller.send(format, { text, isStream: true }));
    const leaving = new AbortController();
    const { body } = await caller.send(format, { text, isStream: true }, { signal: leaving.signal });
    // The client has all of the text and none of the usage.
    await readUntil(body!, ' 5"');
    leaving.abort();
    const events = await caller.untilEvents(2);
    expect(events.map(({ outcome }) => outcome).sort()).toEqual(['client_disconnect', 'delivered']);
    expect(new Set(events.map(({ charged_usd }) => charged_usd)).size).toBe(1);
  });

  it.each(FORMAT_NAMES)('cost at most the prompt for a client that leaves before any answer: %s', async (format) => {
    const caller = await MeteredCaller.create(world, '1');
    const name = nameRequest();
    const facts = { text: `[[sim: name=${name} first_ms=60000]]`, maxTokens: 5_000 };
    const leaving = new AbortController();
    const sent = caller.send(format, facts, { signal: leaving.signal }).catch(() => undefined);
    await eventually(async () => (await caller.readRequests(name)).length === 1, 'the vendor has the request');
    leaving.abort();
    await sent;
    const [event] = await caller.untilEvents(1);
    expect(event).toMatchObject({ outcome: 'client_disconnect', basis: 'estimated' });
    expect(readUsd(event!.charged_usd!)).toBeGreaterThan(0n);
    expect(readUsd(event!.charged_usd!)).toBeLessThan(readUsd('0.001'));
    const isClosed = async () => (await caller.readRequests(name))[0]?.outcome === 'client_closed';
    await eventually(isClosed, 'the request at the vendor is closed');
  });

  it.each(FORMAT_NAMES)('are denied for a model without a price: %s', async (format) => {
    const caller = await MeteredCaller.create(world);
    const name = nameRequest();
    const model = `unpriced-${VENDORS[format]}`;
    const { status, text } = await readWhole(caller.send(format, { model, text: `[[sim: name=${name}]]` }));
    expect([status, text]).toEqual([403, expect.not.stringContaining('price')]);
    expect([await caller.readRequests(name), await caller.readEvents()]).toEqual([[], []]);
  });

  it.each(FORMAT_NAMES)('pass with a used-up budget if the model is free: %s', async (format) => {
    const caller = await MeteredCaller.create(world, '0.000000001');
    expect((await readWhole(caller.send(format, {}))).status).toBe(EXHAUSTED[format]);
    const free = { model: FREE_MODELS[format], isStream: true };
    expect((await readWhole(caller.send(format, free))).status).toBe(200);
    expect(await caller.untilEvents(1)).toMatchObject([{ charged_usd: '0.000000000', basis: 'reported' }]);
  });

  it('cost the price of the model that answers, after a fallback', async () => {
    const caller = await MeteredCaller.create(world, '1');
    const text = `[[sim: name=${nameRequest()} fault=status:503 times=1 input=1000 output=100]]`;
    const facts = { model: 'cheaper-fallback', text, maxTokens: 100 };
    expect((await readWhole(caller.send('chat', facts))).status).toBe(200);
    const [failed, answered] = await caller.untilEvents(2);
    expect(failed).toMatchObject({ attempt: 1, model: 'gpt-5.4', outcome: 'upstream_error' });
    expect(readUsd(failed?.charged_usd ?? '0')).toBe(0n);
    // 1,000 tokens at 0.75 USD and 100 tokens at 4.5 USD for each million.
    expect(answered).toMatchObject({ attempt: 2, model: 'gpt-5.4-mini', charged_usd: '0.001200000' });
  });

  it('are denied a fallback that the budget cannot pay', async () => {
    const caller = await MeteredCaller.create(world, '0.008');
    const name = nameRequest();
    const facts = { model: 'dearer-fallback', text: `[[sim: name=${name} fault=status:503]]`, maxTokens: 1_000 };
    expect((await readWhole(caller.send('chat', facts))).status).toBe(429);
    expect((await caller.readRequests(name)).map(({ body }) => body)).toEqual([
      expect.stringContaining('"model":"gpt-5.4-mini"'),
    ]);
  });

  it('have equal sums in all reports', async () => {
    const caller = await MeteredCaller.create(world, '5');
    for (const format of FORMAT_NAMES)
      for (const text of ['Hello', '[[sim: input=7 output=3 cached=1]]', '[[sim: fault=truncate:2]]'])
        await readWhole(caller.send(format, { text, isStream: true, maxTokens: 64 })).catch(() => undefined);
    const total = sum(await caller.untilEvents(12));
    expect(readUsd(total)).toBeGreaterThan(0n);
    const read = <T>(path: string, more = '') =>
      world.manager.call<T>('admin', 'GET', `${path}?scope=user&subject_id=${caller.subject}${more}`);
    const breakdown = await read<
      Record<'by_model' | 'by_provider', { used_usd: string }[]> & { total_used_usd: string }
    >('/v1/budgets/breakdown');
    const add = (amounts: readonly string[]) => writeUsd(amounts.reduce((all, one) => all + readUsd(one), 0n));
    const { buckets } = await read<{ buckets: { usd: string }[] }>('/v1/budgets/spend');
    expect([
      breakdown.total_used_usd,
      add(breakdown.by_model.map(({ used_usd }) => used_usd)),
      add(breakdown.by_provider.map(({ used_usd }) => used_usd)),
      add(buckets.map(({ usd }) => usd)),
    ]).toEqual([total, total, total, total]);
  });
});

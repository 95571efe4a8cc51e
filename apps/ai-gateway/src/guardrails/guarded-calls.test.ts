import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { Log } from '@gatehouse/service-kit/log';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CallWorld, type Provider } from '../exchange/call-world.fixture.ts';
import { GuardrailPasses } from './guardrail-passes.ts';

const SECRET = 'AKIA1234';
const USAGE = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
const REQUEST = { model: 'm', messages: [{ role: 'user', content: `my key is ${SECRET}` }] };
const STREAM = { ...REQUEST, stream: true, stream_options: { include_usage: true } };
const DOCUMENT = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: `it is ${SECRET}` }, finish_reason: 'stop' }],
  usage: USAGE,
});
const writeFrame = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const writeDelta = (content: string) => writeFrame({ choices: [{ index: 0, delta: { content } }] });
const END = `${writeFrame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${writeFrame({ choices: [], usage: USAGE })}data: [DONE]\n\n`;

const document: Provider = (_request, response) =>
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(DOCUMENT) })
    .end(DOCUMENT);
const stream: Provider = (_request, response) =>
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(`${writeDelta('it is AKI')}${writeDelta('A1234')}${END}`);
const cutStream: Provider = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(writeDelta(`it is ${SECRET}`), () => response.destroy());
};

describe('a model call with guardrails', () => {
  let world: CallWorld;
  let verdict: object;
  let asked: { type: string; data: { request?: object; response?: { body: string } } }[];
  const lines: Record<string, unknown>[] = [];
  const write = (fields: Record<string, unknown>) => void lines.push(fields);
  const webhook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString()) as (typeof asked)[number]);
      response.end(JSON.stringify(verdict));
    });
  });
  let passes: GuardrailPasses;

  const open = async (guardrails: NonNullable<AIGateway['spec']['guardrails']>, provider: Provider) => {
    world.spec = { guardrails };
    world.passes = passes;
    await world.open(provider);
  };
  const createWebhook = () => ({
    url: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`,
    timeoutSeconds: 5,
    failureMode: 'Closed' as const,
  });
  const listOutcomes = () => world.recorded.map(({ outcome }) => [outcome.outcome, outcome.raw_usage]);

  beforeEach(async () => {
    [asked, verdict, world] = [[], { verdict: 'allow' }, new CallWorld()];
    lines.length = 0;
    passes = new GuardrailPasses({
      log: { info: write, warn: write } as unknown as Log,
      secrets: { get: () => undefined },
      allowLoopback: true,
    });
    if (!webhook.listening) await once(webhook.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(async () => {
    await Promise.all([world.close(), passes.close()]);
    webhook.close();
    webhook.closeAllConnections();
  });

  it('sends no redacted passage to the provider', async () => {
    await open({ redaction: { patterns: ['AKIA[0-9]{4}'], responses: false } }, document);
    const response = await world.post(REQUEST);
    expect(world.received[0]?.body).toBe(JSON.stringify(REQUEST).replace(SECRET, '[redacted]'));
    expect(await response.text()).toBe(DOCUMENT);
  });

  it('sends what it has examined of a request that names a member twice', async () => {
    await open({ redaction: { patterns: ['AKIA[0-9]{4}'], responses: false } }, document);
    await world.post(`{"model":"m","messages":[{"role":"user","content":"${SECRET}","content":"harmless"}]}`);
    expect(world.received[0]?.body).not.toContain(SECRET);
  });

  it('redacts documents and streams for the client', async () => {
    await open({ redaction: { patterns: ['AKIA[0-9]{4}'], responses: true } }, (request, response, body) =>
      (body.includes('"stream":true') ? stream : document)(request, response, body),
    );
    expect(await (await world.post(REQUEST)).json()).toMatchObject({
      choices: [{ message: { content: 'it is [redacted]' } }],
    });
    const text = await (await world.post(STREAM)).text();
    expect(text).toContain('it is [redacted]');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(listOutcomes()).toEqual([
      ['delivered', USAGE],
      ['delivered', USAGE],
    ]);
  });

  it('charges nothing for a request that the webhook denies', async () => {
    await open({ requestWebhook: createWebhook() }, document);
    verdict = { verdict: 'deny', message: 'Customer data is not permitted.' };
    const response = await world.post(REQUEST);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { message: 'Customer data is not permitted.' } });
    expect([world.admitted, world.received, world.recorded]).toEqual([[], [], []]);
  });

  it('sends the request of the webhook, which must name the same model', async () => {
    await open({ requestWebhook: createWebhook() }, document);
    verdict = { verdict: 'replace', request: { model: 'm', messages: [] } };
    await world.post(REQUEST);
    expect(world.received[0]?.body).toBe('{"model":"m","messages":[]}');
    verdict = { verdict: 'replace', request: { model: 'another', messages: [] } };
    expect((await world.post(REQUEST)).status).toBe(500);
    expect(world.received).toHaveLength(1);
  });

  it('shows the webhook redacted prompts', async () => {
    await open(
      {
        redaction: { patterns: ['AKIA[0-9]{4}'], responses: true },
        requestWebhook: createWebhook(),
        responseWebhook: createWebhook(),
      },
      stream,
    );
    await (await world.post(STREAM)).text();
    expect(asked.map(({ type }) => type)).toEqual(['model_call.request', 'model_call.response']);
    expect(JSON.stringify(asked)).not.toMatch(/AKIA/);
  });

  it.each([
    ['document', REQUEST, document],
    ['stream', STREAM, stream],
  ])('withholds a %s that the webhook denies, and charges its usage', async (_name, request, provider) => {
    await open({ responseWebhook: createWebhook() }, provider);
    verdict = { verdict: 'deny' };
    const response = await world.post(request);
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([403, 'false']);
    expect(await response.text()).not.toMatch(/AKIA|it is/);
    expect(listOutcomes()).toEqual([['blocked_downstream', USAGE]]);
    expect(world.finished).toEqual([USAGE]);
  });

  it('withholds a stream that the provider cuts, and charges an estimate', async () => {
    await open({ responseWebhook: createWebhook() }, cutStream);
    const response = await world.post(STREAM);
    expect(response.status).toBe(502);
    expect(await response.text()).not.toContain(SECRET);
    expect(world.recorded.at(-1)?.outcome).toMatchObject({
      outcome: 'upstream_error',
      estimated_usage: expect.anything(),
    });
    expect(asked).toEqual([]);
  });

  it('logs prompts after the redaction, only if that is enabled', async () => {
    const redaction = { patterns: ['AKIA[0-9]{4}'], responses: false };
    await open({ redaction, promptLogging: { enabled: true } }, document);
    await world.post({ ...REQUEST, padding: 'x'.repeat(100_000) });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ principal: 'key:aaaaaaaa', omitted_characters: expect.any(Number) });
    expect(lines[0]?.['request_body']).toMatch(/my key is \[redacted\]/);
    expect(String(lines[0]?.['request_body'])).toHaveLength(32 * 1024);
  });

  it('passes the bytes of client and provider unchanged without guardrails', async () => {
    await open({ promptLogging: { enabled: false } }, document);
    const text = JSON.stringify(REQUEST, null, 2);
    const response = await world.post(text);
    expect([world.received[0]?.body, await response.text(), response.headers.get('content-length')]).toEqual([
      text,
      DOCUMENT,
      String(Buffer.byteLength(DOCUMENT)),
    ]);
    expect([lines, asked]).toEqual([[], []]);
  });
});

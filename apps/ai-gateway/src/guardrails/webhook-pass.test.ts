import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { GuardrailWebhook } from '@gatehouse/ai-resources/generated/types';
import type { Egress } from '@gatehouse/egress/egress';
import type { Log } from '@gatehouse/service-kit/log';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { PassedCall } from '../exchange/call-pass.ts';
import { caller, chat } from '../telemetry/attempt.fixture.ts';
import { GuardrailCalls, openWebhookEgress } from './guardrail-webhook.ts';
import { RequestWebhookPass, ResponseWebhookPass } from './webhook-pass.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const call: PassedCall = {
  signal: new AbortController().signal,
  interactionId: '0199-1',
  context: undefined,
  operation: chat,
  principal: caller,
  model: 'gpt-5',
};
const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'canary' }] };
const answer = { contentType: 'application/json', bytes: Buffer.from('{"canary":1}') };

describe('guardrail webhooks', () => {
  let serve: RequestListener;
  const received: { headers: IncomingMessage['headers']; text: string }[] = [];
  const server = createServer((request, response) => serve(request, response));
  const lines: object[] = [];
  const write = (fields: object) => void lines.push(fields);
  const log = { info: write, warn: write } as unknown as Log;
  let url: string;
  let egress: Egress;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/examine`;
    egress = openWebhookEgress(url, true);
  });
  afterEach(() => {
    received.length = 0;
    lines.length = 0;
  });
  afterAll(async () => {
    await egress.close();
    server.closeAllConnections();
    server.close();
  });

  const reply = (verdict: unknown): RequestListener => answerWith((response) => response.end(JSON.stringify(verdict)));
  const answerWith =
    (send: (response: ServerResponse) => void): RequestListener =>
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
        send(response);
      });
    };

  const createParts = (changes: Partial<GuardrailWebhook> = {}, secret: string | undefined = SECRET) => {
    const webhook: GuardrailWebhook = { url, timeoutSeconds: 1, failureMode: 'Closed', ...changes };
    return { webhook, calls: new GuardrailCalls(webhook, egress, { get: () => secret }), log };
  };
  const request = (changes?: Partial<GuardrailWebhook>) =>
    new RequestWebhookPass(createParts(changes)).handleRequest(body, call);
  const respond = (changes?: Partial<GuardrailWebhook>) =>
    new ResponseWebhookPass(createParts(changes)).handleAnswer(answer, call);

  it('pass on what a webhook allows', async () => {
    serve = reply({ verdict: 'allow' });
    expect(await request()).toBe(body);
    expect(await respond()).toBe(answer);
    expect(received.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      {
        type: 'model_call.request',
        timestamp: expect.any(String),
        data: {
          interaction_id: '0199-1',
          operation: 'openai.chat_completions',
          format: 'openai',
          principal: { virtual_key_id: 'k-1' },
          owner: { issuer: 'https://id.example', subject: 'ann' },
          model: 'gpt-5',
          request: body,
        },
      },
      expect.objectContaining({
        type: 'model_call.response',
        data: expect.objectContaining({ response: { content_type: 'application/json', body: '{"canary":1}' } }),
      }),
    ]);
  });

  it('replace a request', async () => {
    const replaced = { model: 'gpt-5', messages: [] };
    serve = reply({ verdict: 'replace', request: replaced });
    expect(await request()).toEqual(replaced);
  });

  it('deny contents with the message of the webhook', async () => {
    serve = reply({ verdict: 'deny', message: 'Do not send customer data.' });
    const denial = { failure: 'denied', message: 'Do not send customer data.' };
    await expect(request()).rejects.toMatchObject({ ...denial, reason: 'denied_by_request_webhook' });
    await expect(respond()).rejects.toMatchObject({ ...denial, reason: 'denied_by_response_webhook' });
  });

  it('sign their calls as Standard Webhooks', async () => {
    serve = reply({ verdict: 'allow' });
    await request({ managedSecretId: '0197a3c2-2b9c-71d5-aff2-f15eb4bb768a' });
    const { headers, text } = received[0]!;
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    expect(() => new Webhook(SECRET).verify(text, signed)).not.toThrow();
    expect(() => new Webhook(SECRET).verify(`${text} `, signed)).toThrow();
  });

  const HUGE = Buffer.alloc(1024 * 1024, 0x20);
  const writeEndlessly = (response: ServerResponse) => {
    const send = () => {
      while (!response.destroyed && response.write(HUGE));
    };
    response.on('drain', send);
    send();
  };
  const hostile: readonly (readonly [string, RequestListener])[] = [
    ['does not answer', () => undefined],
    ['sends a head and no body', answerWith((response) => response.writeHead(200).flushHeaders())],
    ['sends a body without end', answerWith(writeEndlessly)],
    ['sends garbage', answerWith((response) => response.end('canary'))],
    ['sends another verdict', reply({ verdict: 'canary' })],
    ['replaces a request by a list', reply({ verdict: 'replace', request: [] })],
    ['sends too many values', answerWith((response) => response.end(`[${'[],'.repeat(2_000_000)}0]`))],
    ['sends deeply nested lists', answerWith((response) => response.end('['.repeat(5_000_000)))],
    ['redirects', answerWith((response) => response.writeHead(307, { location: `${url}?again` }).end())],
    [
      'redirects into the cluster',
      answerWith((response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()),
    ],
    ['answers 500', answerWith((response) => response.writeHead(500).end('canary'))],
    ['answers 204', answerWith((response) => response.writeHead(204).end())],
    ['closes the connection', (incoming) => incoming.socket.destroy()],
    [
      'closes the connection within its response',
      answerWith((response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{"verdict":');
        setImmediate(() => response.destroy());
      }),
    ],
  ];

  it.each(hostile)(
    'refuse calls while the webhook %s',
    async (_name, listener) => {
      serve = listener;
      await expect(request()).rejects.toMatchObject({ failure: 'unavailable', reason: 'request_webhook_failed' });
      await expect(respond()).rejects.toMatchObject({ failure: 'denied', reason: 'response_webhook_failed' });
      expect(JSON.stringify(lines)).not.toContain('canary');
      expect(lines).toHaveLength(2);
    },
    30_000,
  );

  it.each(hostile)(
    'pass calls on in the failure mode Open while the webhook %s',
    async (_name, listener) => {
      serve = listener;
      expect(await request({ failureMode: 'Open' })).toBe(body);
      expect(await respond({ failureMode: 'Open' })).toBe(answer);
    },
    30_000,
  );

  it('log a failure once, and its end', async () => {
    serve = answerWith((response) => response.writeHead(500).end());
    const pass = new RequestWebhookPass(createParts({ failureMode: 'Open' }));
    for (let at = 0; at < 3; at += 1) await pass.handleRequest(body, call);
    serve = reply({ verdict: 'allow' });
    await pass.handleRequest(body, call);
    expect(lines).toEqual([
      { webhook: 'model_call.request', problem: 'it answers HTTP 500' },
      { webhook: 'model_call.request' },
    ]);
  });

  it.each([
    ['cannot be read', undefined],
    ['is not base64', 'whsec_*'],
  ])('refuse calls while the secret %s', async (_name, secret) => {
    serve = reply({ verdict: 'allow' });
    const secretRef = { name: 'guardrails', key: 'secret' };
    const parts = {
      ...createParts({ secretRef }),
      calls: new GuardrailCalls({ ...createParts({ secretRef }).webhook }, egress, { get: () => secret }),
    };
    await expect(new RequestWebhookPass(parts).handleRequest(body, call)).rejects.toMatchObject({
      failure: 'unavailable',
    });
    expect(received).toEqual([]);
  });

  it('never connect to this machine unless the deployment permits it', async () => {
    const closed = openWebhookEgress(url, false);
    serve = reply({ verdict: 'allow' });
    const { webhook } = createParts();
    const pass = new RequestWebhookPass({
      webhook,
      calls: new GuardrailCalls(webhook, closed, { get: () => undefined }),
      log,
    });
    await expect(pass.handleRequest(body, call)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(received).toEqual([]);
    await closed.close();
  });
});

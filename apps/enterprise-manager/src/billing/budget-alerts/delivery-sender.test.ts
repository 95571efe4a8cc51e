import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@gatehouse/testing/ports';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { createHeaders, sendDelivery, type SendResult } from './delivery-sender.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const serveStatus = (status: number, headers: Record<string, string> = {}, body = 'a secret body of the target') =>
  serve((_, response) => response.writeHead(status, headers).end(body));

const secret = randomBytes(32);
const sendTo = (
  url: string,
  more: { timeoutMs?: number; resolve?: (name: string) => Promise<string[]>; signal?: AbortSignal } = {},
): Promise<SendResult> =>
  sendDelivery({ id: randomUUID(), body: '{"a":1}', url, allow_private_ips: true }, [secret], new Date(), {
    allowLoopback: true,
    ...more,
  });

describe('sendDelivery', () => {
  it('signs the delivery with each of two secrets, as Standard Webhooks requires', async () => {
    let seen: { headers: IncomingHttpHeaders; body: string } | undefined;
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen = { headers: request.headers, body: Buffer.concat(chunks).toString() };
        response.writeHead(204).end();
      });
    });
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const id = randomUUID();
    const sent = { id, body: '{"text":"Ünïcode ☃"}', url, allow_private_ips: true };
    expect(await sendDelivery(sent, [first, second], new Date(), { allowLoopback: true })).toEqual({ status: 204 });
    for (const key of [first, second])
      expect(
        new Webhook(`whsec_${key.toString('base64')}`).verify(seen!.body, seen!.headers as Record<string, string>),
      ).toEqual({ text: 'Ünïcode ☃' });
    expect(seen!.headers).toMatchObject({ 'webhook-id': id, 'content-type': 'application/json' });
    expect(() =>
      new Webhook(`whsec_${randomBytes(32).toString('base64')}`).verify(
        seen!.body,
        seen!.headers as Record<string, string>,
      ),
    ).toThrow('No matching signature');
  });

  it('sends and signs the time of the attempt', () => {
    const now = new Date('2026-03-01T12:00:00.999Z');
    const headers = createHeaders('id', '{}', [secret], now);
    expect(headers['webhook-timestamp']).toBe('1772366400');
    expect(createHeaders('id', '{}', [secret], new Date('2026-03-01T12:00:01Z'))['webhook-signature']).not.toBe(
      headers['webhook-signature'],
    );
  });

  it.each([200, 201, 202, 204, 299])('succeeds with %d', async (status) => {
    expect(await sendTo(await serveStatus(status, {}, ''))).toEqual({ status });
  });

  it.each([304, 400, 404, 410, 500, 502])('fails with %d', async (status) => {
    const url = await serveStatus(status, {}, '');
    expect(await sendTo(url)).toEqual({ status, error: `${new URL(url).host} answers HTTP ${status}` });
  });

  it('never reports data from the target', async () => {
    expect(JSON.stringify(await sendTo(await serveStatus(500, { 'x-secret': 'header' })))).not.toMatch(
      /secret body|header/,
    );
  });

  it.each([429, 503])('reads Retry-After of a %d response', async (status) => {
    expect(await sendTo(await serveStatus(status, { 'retry-after': '17' }))).toMatchObject({ retryAfterMs: 17_000 });
  });

  it('ignores Retry-After of other responses', async () => {
    expect(await sendTo(await serveStatus(500, { 'retry-after': '17' }))).not.toHaveProperty('retryAfterMs');
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%d)', async (status) => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (request.url === '/') response.writeHead(status, { location: '/elsewhere' }).end();
      else response.writeHead(200).end();
    });
    expect((await sendTo(url)).error).toMatch(/answers with a redirect, which is not followed/);
    expect(requests).toBe(1);
  });

  it('times out when the target does not respond', async () => {
    const url = await serve(() => undefined);
    expect(await sendTo(url, { timeoutMs: 200 })).toEqual({ error: `${new URL(url).host} did not answer in 0.2 s` });
  });

  it('times out when the DNS lookup does not end', async () => {
    const result = await sendTo('https://hooks.example.com/', {
      timeoutMs: 200,
      resolve: () => new Promise(() => undefined),
    });
    expect(result.error).toBe('hooks.example.com did not answer in 0.2 s');
  });

  it('does not wait for the body of a response', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200).write('the beginning of a body without end');
    });
    expect(await sendTo(url, { timeoutMs: 5_000 })).toEqual({ status: 200 });
  });

  it('explains a refused and a closed connection', async () => {
    const gone = await serve((request) => request.socket.destroy());
    expect((await sendTo(gone)).error).toMatch(/closed the connection before it answered/);
    expect((await sendTo(`http://127.0.0.1:${await freePort()}/`)).error).toMatch(/refused the connection/);
  });

  it('rejects when the signal aborts it', async () => {
    const controller = new AbortController();
    const url = await serve(() => controller.abort());
    await expect(sendTo(url, { signal: controller.signal })).rejects.toThrow();
  });
});

describe('the check of the target address', () => {
  const sendTo = (
    url: string,
    addresses: string[],
    permission: { allow_private_ips: boolean; allowLoopback: boolean },
  ) =>
    sendDelivery(
      { id: randomUUID(), body: '{}', url, allow_private_ips: permission.allow_private_ips },
      [secret],
      new Date(),
      {
        allowLoopback: permission.allowLoopback,
        resolve: () => Promise.resolve(addresses),
        timeoutMs: 2_000,
      },
    );

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '100.100.100.200',
  ])('refuses a host name that resolves to %s now', async (address) => {
    const result = await sendTo('https://hooks.example.com/', [address], {
      allow_private_ips: false,
      allowLoopback: true,
    });
    expect(result.status).toBeUndefined();
    expect(result.error).toMatch(/hooks\.example\.com:443 is (this machine itself|a private address|a link-local)/);
  });

  it('refuses a host name with one private address among several', async () => {
    const { error } = await sendTo('https://hooks.example.com/', ['93.184.216.34', '10.0.0.1'], {
      allow_private_ips: false,
      allowLoopback: false,
    });
    expect(error).toMatch(/private address/);
  });

  it('refuses a metadata service even if private addresses are allowed', async () => {
    const { error } = await sendTo('http://hooks.example.com/', ['169.254.169.254'], {
      allow_private_ips: true,
      allowLoopback: true,
    });
    expect(error).toMatch(/never called/);
  });

  it('refuses http unless private addresses are allowed', async () => {
    const { error } = await sendTo('http://hooks.example.com/', ['93.184.216.34'], {
      allow_private_ips: false,
      allowLoopback: true,
    });
    expect(error).toMatch(/must be called over https/);
  });

  it('allows loopback only if the deployment also allows it', async () => {
    const url = await serveStatus(200, {}, '');
    const sendToLoopback = (allowLoopback: boolean) => sendTo(url, [], { allow_private_ips: true, allowLoopback });
    expect(await sendToLoopback(true)).toEqual({ status: 200 });
    expect((await sendToLoopback(false)).error).toMatch(/which this deployment does not allow/);
  });
});

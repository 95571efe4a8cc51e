import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@gatehouse/testing/ports';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { send, type SendResult, signedHeaders } from './delivery-sender.ts';

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
const answering = (status: number, headers: Record<string, string> = {}, body = 'a body that nobody may repeat') =>
  serve((_, response) => response.writeHead(status, headers).end(body));

const secret = randomBytes(32);
const sendTo = (
  url: string,
  more: { timeoutMs?: number; resolve?: (name: string) => Promise<string[]>; signal?: AbortSignal } = {},
): Promise<SendResult> =>
  send({ id: randomUUID(), body: '{"a":1}', url, allow_private_ips: true }, [secret], new Date(), {
    allowLoopback: true,
    ...more,
  });

describe('an attempt', () => {
  it('is signed so that the library of Standard Webhooks accepts it, with each of two secrets', async () => {
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
    expect(await send(sent, [first, second], new Date(), { allowLoopback: true })).toEqual({ status: 204 });
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

  it('carries the time of the attempt, which is signed', () => {
    const now = new Date('2026-03-01T12:00:00.999Z');
    const headers = signedHeaders('id', '{}', [secret], now);
    expect(headers['webhook-timestamp']).toBe('1772366400');
    expect(signedHeaders('id', '{}', [secret], new Date('2026-03-01T12:00:01Z'))['webhook-signature']).not.toBe(
      headers['webhook-signature'],
    );
  });

  it.each([200, 201, 202, 204, 299])('succeeds with %d', async (status) => {
    expect(await sendTo(await answering(status, {}, ''))).toEqual({ status });
  });

  it.each([304, 400, 404, 410, 500, 502])('fails with %d, and repeats nothing of the answer', async (status) => {
    const url = await answering(status, {}, '');
    expect(await sendTo(url)).toEqual({ status, error: `${new URL(url).host} answers HTTP ${status}` });
  });

  it('repeats nothing that the target says', async () => {
    expect(JSON.stringify(await sendTo(await answering(500, { 'x-secret': 'header' })))).not.toMatch(/nobody|header/);
  });

  it.each([429, 503])('hears what a target asks for with %d', async (status) => {
    expect(await sendTo(await answering(status, { 'retry-after': '17' }))).toMatchObject({ askedMs: 17_000 });
  });

  it('does not hear it with another status', async () => {
    expect(await sendTo(await answering(500, { 'retry-after': '17' }))).not.toHaveProperty('askedMs');
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%d), not even to itself', async (status) => {
    let asked = 0;
    const url = await serve((request, response) => {
      asked += 1;
      if (request.url === '/') response.writeHead(status, { location: '/elsewhere' }).end();
      else response.writeHead(200).end();
    });
    expect((await sendTo(url)).error).toMatch(/answers with a redirect, which is not followed/);
    expect(asked).toBe(1);
  });

  it('gives up on a target that accepts and is silent', async () => {
    const url = await serve(() => undefined);
    expect(await sendTo(url, { timeoutMs: 200 })).toEqual({ error: `${new URL(url).host} did not answer in 0.2 s` });
  });

  it('gives up on a name that is looked up for ever', async () => {
    const result = await sendTo('https://hooks.example.com/', {
      timeoutMs: 200,
      resolve: () => new Promise(() => undefined),
    });
    expect(result.error).toBe('hooks.example.com did not answer in 0.2 s');
  });

  it('does not wait for the body of an answer', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200).write('the beginning of a body without end');
    });
    expect(await sendTo(url, { timeoutMs: 5_000 })).toEqual({ status: 200 });
  });

  it('says that nothing listens, and that the target hung up', async () => {
    const gone = await serve((request) => request.socket.destroy());
    expect((await sendTo(gone)).error).toMatch(/closed the connection before it answered/);
    expect((await sendTo(`http://127.0.0.1:${await freePort()}/`)).error).toMatch(/refused the connection/);
  });

  it('rejects when it is broken off, so that nothing is written down', async () => {
    const controller = new AbortController();
    const url = await serve(() => controller.abort());
    await expect(sendTo(url, { signal: controller.signal })).rejects.toThrow();
  });
});

describe('the address of a target', () => {
  const attempt = (
    url: string,
    addresses: string[],
    permission: { allow_private_ips: boolean; allowLoopback: boolean },
  ) =>
    send({ id: randomUUID(), body: '{}', url, allow_private_ips: permission.allow_private_ips }, [secret], new Date(), {
      allowLoopback: permission.allowLoopback,
      resolve: () => Promise.resolve(addresses),
      timeoutMs: 2_000,
    });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '100.100.100.200',
  ])('is judged at every dial: a name that now has %s is not called', async (address) => {
    const result = await attempt('https://hooks.example.com/', [address], {
      allow_private_ips: false,
      allowLoopback: true,
    });
    expect(result.status).toBeUndefined();
    expect(result.error).toMatch(/hooks\.example\.com:443 is (this machine itself|a private address|a link-local)/);
  });

  it('is refused when one of several is private', async () => {
    const { error } = await attempt('https://hooks.example.com/', ['93.184.216.34', '10.0.0.1'], {
      allow_private_ips: false,
      allowLoopback: false,
    });
    expect(error).toMatch(/private address/);
  });

  it('is never that of a metadata service, whatever is allowed', async () => {
    const { error } = await attempt('http://hooks.example.com/', ['169.254.169.254'], {
      allow_private_ips: true,
      allowLoopback: true,
    });
    expect(error).toMatch(/never called/);
  });

  it('is not called over plain http unless private addresses are allowed for it', async () => {
    const { error } = await attempt('http://hooks.example.com/', ['93.184.216.34'], {
      allow_private_ips: false,
      allowLoopback: true,
    });
    expect(error).toMatch(/must be called over https/);
  });

  it('may be this machine only where the deployment allows it too', async () => {
    const url = await answering(200, {}, '');
    const at = (allowLoopback: boolean) => attempt(url, [], { allow_private_ips: true, allowLoopback });
    expect(await at(true)).toEqual({ status: 200 });
    expect((await at(false)).error).toMatch(/which this deployment does not allow/);
  });
});

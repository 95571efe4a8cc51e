import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManagerConnection } from './manager-connection.ts';
import { ManagerError } from './manager-error.ts';

const check = (body: unknown): { name: string } => {
  if (typeof body === 'object' && body !== null && 'name' in body && typeof body.name === 'string')
    return { name: body.name };
  throw new Error('/name: must be a string');
};
const request = (signal = AbortSignal.timeout(5_000)) => ({ signal });

describe('ManagerConnection', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  /** Connects to a fake enterprise manager with the tokens `token 1`, `token 2`, and so on. */
  async function open(answer: RequestListener) {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    let serial = 1;
    const token = {
      get: () => Promise.resolve(`token ${serial}`),
      forget: (old: string) => {
        if (old === `token ${serial}`) serial += 1;
      },
    };
    return new ManagerConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, token);
  }
  const catchError = async (work: Promise<unknown>): Promise<ManagerError> => {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof ManagerError) return error;
    throw new Error(`unexpected: ${String(error)}`);
  };

  it('sends the token and the body, and returns the checked document', async () => {
    const seen: (string | undefined)[] = [];
    const connection = await open((received, response) => {
      seen.push(received.method, received.url, received.headers.authorization, received.headers['content-type']);
      received.pipe(response);
    });
    const body = { name: 'x' };
    expect(await connection.call('POST', '/path', check, { ...request(), body })).toEqual(body);
    expect(seen).toEqual(['POST', '/path', 'Bearer token 1', 'application/json']);
  });

  it('sends a request again with a new token after a 401, once', async () => {
    const tokens: (string | undefined)[] = [];
    const connection = await open(({ headers }, response) => {
      tokens.push(headers.authorization);
      response.writeHead(tokens.length === 2 ? 200 : 401).end(tokens.length === 2 ? '{"name":"x"}' : 'no');
    });
    expect(await connection.call('GET', '/', check, request())).toEqual({ name: 'x' });
    const error = await catchError(connection.call('GET', '/', check, request()));
    expect([error.status, error.isOutage]).toEqual([401, false]);
    expect(tokens).toEqual([1, 2, 2, 3].map((serial) => `Bearer token ${serial}`));
  });

  it('returns undefined for an unchanged document, and otherwise its ETag', async () => {
    const connection = await open(({ headers }, response) => {
      if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end('{"name":"x"}');
    });
    const read = (etag?: string) => connection.read('/', check, etag, AbortSignal.timeout(5_000));
    expect(await read()).toEqual({ body: { name: 'x' }, etag: '"1"' });
    expect(await read('"1"')).toBeUndefined();
  });

  it('keeps connections for further requests', async () => {
    const sockets = new Set<IncomingMessage['socket']>();
    const connection = await open((received, response) => {
      sockets.add(received.socket);
      response.end('{"name":"x"}');
    });
    for (let count = 0; count < 20; count += 1) await connection.call('GET', '/', check, request());
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it.each([
    [400, false],
    [404, false],
    [409, false],
    [429, true],
    [500, true],
    [503, true],
  ])('reports the status %i, with isOutage %s', async (status, isOutage) => {
    const connection = await open((_, response) => response.writeHead(status).end('a sentence'));
    const error = await catchError(connection.write('POST', '/', request()));
    expect([error.status, error.isOutage, error.message]).toEqual([
      status,
      isOutage,
      `the enterprise manager answered ${status}: a sentence`,
    ]);
  });

  it('sends a text as it is, and reports how long to wait after a refusal', async () => {
    const connection = await open((received, response) => {
      response.writeHead(503, { 'retry-after': '7' });
      received.pipe(response);
    });
    const body = '{"number": 1.0}';
    const { message, retryAfterMs } = await catchError(connection.write('POST', '/', { ...request(), body }));
    expect([message, retryAfterMs]).toEqual([`the enterprise manager answered 503: ${body}`, 7_000]);
  });

  it('reads only the beginning of a refusal', async () => {
    const connection = await open((_, response) => {
      response.writeHead(500);
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(100_000), write);
      };
      write();
    });
    const { message } = await catchError(connection.write('POST', '/', request()));
    expect(message.length).toBeLessThan(600);
  });

  it('is an outage without an answer, after the signal, and for half of a document', async () => {
    const silent = await open(() => undefined);
    const aborted = await catchError(silent.call('GET', '/', check, request(AbortSignal.timeout(20))));
    const half = await open((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"name"', () => response.destroy());
    });
    const cut = await catchError(half.call('GET', '/', check, request()));
    const closed = new ManagerConnection('http://127.0.0.1:1', {
      get: () => Promise.resolve(''),
      forget: () => undefined,
    });
    const unreachable = await catchError(closed.call('GET', '/', check, request()));
    for (const error of [aborted, cut, unreachable]) expect([error.status, error.isOutage]).toEqual([undefined, true]);
  });

  it('is an outage without a token', async () => {
    const connection = new ManagerConnection('http://127.0.0.1:1', {
      get: () => Promise.reject(new Error('the token endpoint answered 500')),
      forget: () => undefined,
    });
    const error = await catchError(connection.call('GET', '/', check, request()));
    expect([error.isOutage, error.message]).toEqual([true, 'no token for the enterprise manager']);
  });

  it('names the field of a document that breaks the contract, and never repeats text', async () => {
    const answers = ['{"name":1}', '{"value":"s3cr3t'];
    const connection = await open((_, response) => response.end(answers.shift()));
    const broken = await catchError(connection.call('GET', '/', check, request()));
    expect(broken.message).toContain('breaks its contract: /name');
    const garbage = await catchError(connection.call('GET', '/', check, request()));
    expect(JSON.stringify([garbage, garbage.message, String(garbage.cause)])).not.toContain('s3cr3t');
  });
});

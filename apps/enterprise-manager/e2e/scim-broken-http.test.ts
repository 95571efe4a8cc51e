import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ERROR, makeScimToken } from './scim-scene.ts';

describe('SCIM with malformed HTTP', () => {
  let manager: TestManager;
  let secret: string;
  beforeAll(async () => {
    manager = await startManager({ arrivalMs: 1_000 });
    ({ secret } = await makeScimToken(manager));
  }, 60_000);
  afterAll(() => manager.close());

  /** Sends each part after the response to the previous one, and reads until the service closes. */
  const exchangeParts = async (...parts: string[]): Promise<string> => {
    const socket = connect(Number(new URL(manager.baseUrl).port), '127.0.0.1');
    let response = '';
    socket.on('data', (bytes) => (response += bytes.toString()));
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    for (const [at, part] of parts.entries()) {
      socket.write(part, 'latin1');
      if (at < parts.length - 1) await once(socket, 'data');
    }
    await closed;
    return response;
  };
  const createHead = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}`;
  const createPadded = (path: string, bytes: number) =>
    createHead(path, `x-pad: ${'y'.repeat(bytes)}\r\nconnection: close\r\n\r\n`);
  const expectScim = (status: number, scimType?: string) =>
    expect.objectContaining({
      status,
      type: 'application/scim+json; charset=utf-8',
      body: {
        schemas: [ERROR],
        status: String(status),
        ...(scimType !== undefined && { scimType }),
        detail: expect.any(String),
      },
    });
  const readAnswer = (text: string) => {
    const last = text.slice(text.lastIndexOf('HTTP/1.1 '));
    const [headers = '', body = ''] = last.split('\r\n\r\n', 2);
    return {
      status: Number(headers.slice(9, 12)),
      type: /^content-type: (.*)$/im.exec(headers)?.[1],
      body: JSON.parse(body) as unknown,
    };
  };
  const USERS = '/scim/local/v2/Users';

  it.each([[20_000], [60_000]])('answers 431 with a SCIM body to %d bytes of headers', async (bytes) => {
    expect(readAnswer(await exchangeParts(createPadded(USERS, bytes)))).toEqual(expectScim(431));
  });

  it('answers 431 with the error body of the service on other paths', async () => {
    for (const bytes of [20_000, 60_000])
      expect(readAnswer(await exchangeParts(createPadded('/v1/groups', bytes)))).toEqual({
        status: 431,
        type: 'application/json; charset=utf-8',
        body: { error: 'headers: are larger than 16 KiB together' },
      });
  });

  it('answers 400 with a SCIM body to an invalid header', async () => {
    expect(readAnswer(await exchangeParts(createHead(USERS, 'bad header\r\n\r\n')))).toEqual(
      expectScim(400, 'invalidSyntax'),
    );
  });

  it('answers a second request on a kept-alive connection too', async () => {
    const first = createHead('/healthz', '\r\n');
    expect(readAnswer(await exchangeParts(first, createPadded(USERS, 60_000)))).toEqual(expectScim(431));
    expect(readAnswer(await exchangeParts(first, createHead(USERS, 'bad header\r\n\r\n')))).toEqual(
      expectScim(400, 'invalidSyntax'),
    );
  });

  it('answers 400 with a SCIM body to a malformed body', async () => {
    const broken = `POST ${USERS} HTTP/1.1\r\nhost: x\r\ncontent-type: application/scim+json\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n`;
    const response = readAnswer(await exchangeParts(broken));
    expect([400, 401]).toContain(response.status);
    expect(response).toMatchObject({ type: 'application/scim+json; charset=utf-8', body: { schemas: [ERROR] } });
  });

  it.each(['POST', 'PUT', 'PATCH'])(
    'answers 408 with a SCIM body to a %s whose body does not arrive',
    async (method) => {
      const path = method === 'POST' ? USERS : `${USERS}/${randomUUID()}`;
      const authorization = `authorization: Bearer ${secret}\r\n`;
      const type = 'content-type: application/scim+json\r\n';
      const request = `${method} ${path} HTTP/1.1\r\nhost: x\r\n${authorization}${type}content-length: 100\r\n\r\n{`;
      expect(readAnswer(await exchangeParts(request))).toEqual(expectScim(408));
    },
  );

  it('answers 408 with the error body of the service on other paths and for an incomplete path', async () => {
    const authorization = `authorization: Bearer ${manager.tokens.admin}\r\n`;
    const type = 'content-type: application/json\r\n';
    const request = `POST /v1/groups HTTP/1.1\r\nhost: x\r\n${authorization}${type}content-length: 100\r\n\r\n{`;
    for (const late of [request, 'GET /v1'])
      expect(readAnswer(await exchangeParts(late))).toEqual({
        status: 408,
        type: 'application/json; charset=utf-8',
        body: { error: 'the request did not arrive in time' },
      });
  });
});

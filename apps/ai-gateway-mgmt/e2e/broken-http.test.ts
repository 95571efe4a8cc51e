import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type FolderService, startFolderService } from './support/folder-service.ts';

describe('a malformed HTTP request', () => {
  let service: FolderService;

  beforeAll(async () => {
    const environment = {
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'silent',
      AUDIENCE: 'gatehouse',
      ISSUERS: JSON.stringify([{ issuer: 'https://id.example.test' }]),
    };
    service = await startFolderService(environment, { arrivalMs: 1_000 });
  });
  afterAll(() => service.close());

  /** Sends bytes, and reads until the service closes the connection. */
  const exchange = async (bytes: string) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (part) => (answer += part.toString()));
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.write(bytes, 'latin1');
    await closed;
    const [headers = '', body = ''] = answer.split('\r\n\r\n', 2);
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1];
    return {
      status: Number(headers.slice(9, 12)),
      type: header('content-type'),
      requestId: header('x-request-id'),
      body: JSON.parse(body) as { requestId: string },
    };
  };
  const info = (more: string) => `GET /v1/info HTTP/1.1\r\nhost: x\r\n${more}`;
  const padded = (bytes: number) => info(`x-pad: ${'y'.repeat(bytes)}\r\nconnection: close\r\n\r\n`);

  it.each([
    ['400', 'a malformed header', info('bad header\r\n\r\n')],
    ['408', 'headers that do not arrive', info('')],
    ['408', 'a request line that does not arrive', 'GET /v1'],
    ['431', 'headers that the parser reads and the service refuses', padded(20_000)],
    ['431', 'headers that the parser refuses', padded(60_000)],
  ])('is answered with status %s and a machine code: %s', async (status, _, bytes) => {
    const answer = await exchange(bytes);
    expect(answer).toEqual({
      status: Number(status),
      type: 'application/json; charset=utf-8',
      requestId: expect.any(String),
      body: { error: 'invalid_request', requestId: answer.requestId, violations: expect.any(Array) },
    });
  });
});

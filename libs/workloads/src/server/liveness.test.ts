import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { watchLiveness } from './liveness.ts';

describe('watchLiveness', () => {
  let server: Server;
  let answer: (response: ServerResponse) => void;
  const pings: string[] = [];
  beforeEach(async () => {
    pings.length = 0;
    answer = (response) => response.writeHead(400).end();
    server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => pings.push(text));
      answer(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const watch = (reports: (string | undefined)[], until: number) => {
    const end = new AbortController();
    const { port } = server.address() as AddressInfo;
    const report = (reason: string | undefined) => {
      reports.push(reason);
      if (reports.length === until) end.abort();
      else answer = (response) => response.writeHead(400).end();
    };
    const connection = { kind: 'http', getAddress: () => ({ host: '127.0.0.1', port }) } as const;
    return watchLiveness(connection, report, end.signal, { intervalMs: 5, timeoutMs: 50 });
  };

  it('reports a server that stops to answer after three pings, and its next answer', async () => {
    answer = () => undefined;
    const reports: (string | undefined)[] = [];
    await watch(reports, 2);
    expect(reports).toEqual([expect.stringContaining('does not answer on port'), undefined]);
    expect(pings.length).toBeGreaterThanOrEqual(4);
    expect(JSON.parse(pings[0] ?? '')).toMatchObject({ method: 'ping' });
  });

  it('reports a refused connection with its reason', async () => {
    const reports: (string | undefined)[] = [];
    const watching = watch(reports, 1);
    server.closeAllConnections();
    server.close();
    await watching;
    expect(reports).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });

  it('does not watch a stdio server', async () => {
    const openProcess = () => Promise.reject(new Error('not opened'));
    await watchLiveness({ kind: 'stdio', openProcess }, () => undefined, new AbortController().signal);
  });
});

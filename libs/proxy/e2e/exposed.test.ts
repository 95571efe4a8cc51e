import { hostname } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import type { ProxyOptions } from '../src/pipeline/options.ts';
import { sendRaw } from './harness.ts';
import { answerOk, startPassThrough } from './passed-through.ts';

/** Sends a GET with these headers and returns the status. */
async function fetchStatus(port: number, host: string, origin?: string): Promise<number> {
  const lines = [`GET /mcp HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...(origin ? [`Origin: ${origin}`] : [])];
  const response = await sendRaw(port, `${lines.join('\r\n')}\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);
}

const exposed = (options: Partial<ProxyOptions> = {}) => startPassThrough(answerOk, { host: '0.0.0.0', ...options });

describe('a proxy that other machines can reach', () => {
  it('serves IP addresses, its own names and the loopback names as Host', async () => {
    const { port } = await exposed({ allowedHosts: ['Tools.Example'] });
    const first = hostname().split('.')[0] ?? '';
    const hosts = [
      '203.0.113.7',
      '[2001:db8::1]:8080',
      'localhost',
      hostname(),
      hostname().toUpperCase(),
      `${first}.local`,
    ];
    for (const host of [...hosts, 'tools.example', `127.0.0.1:${port}`]) {
      expect([host, await fetchStatus(port, host)]).toEqual([host, 200]);
    }
  });

  it('refuses every other Host (DNS rebinding) without a call to the server', async () => {
    const { port, requests } = await exposed();
    const own = hostname();
    const hosts = [
      'evil.example',
      `${own}.evil.example`,
      '203.0.113.7.evil.example',
      '203.0.113',
      '[::1',
      '1.2.3.4.5',
      '',
    ];
    for (const host of hosts) expect([host, await fetchStatus(port, host)]).toEqual([host, 403]);
    expect(requests).toEqual([]);
  });

  it('serves web pages of its own address and no others', async () => {
    const { port, requests } = await exposed();
    const host = `203.0.113.7:${port}`;
    expect(await fetchStatus(port, host, `http://${host}`)).toBe(200);
    expect(await fetchStatus(port, host.toUpperCase(), `https://${host}`)).toBe(200);
    requests.length = 0;
    for (const origin of ['https://evil.example', 'http://203.0.113.7:1', `http://localhost:${port}`, 'null']) {
      expect([origin, await fetchStatus(port, host, origin)]).toEqual([origin, 403]);
    }
    expect(await fetchStatus(port, 'evil.example', 'http://evil.example')).toBe(403);
    expect(requests).toEqual([]);
  });

  it('serves only the listed origins, and their hosts as Host', async () => {
    const { port } = await exposed({ allowedOrigins: ['https://app.example'] });
    expect(await fetchStatus(port, 'app.example', 'https://app.example')).toBe(200);
    expect(await fetchStatus(port, '203.0.113.7', 'https://app.example')).toBe(200);
    expect(await fetchStatus(port, '203.0.113.7', 'http://203.0.113.7')).toBe(403);
    expect(await fetchStatus(port, 'other.example')).toBe(403);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Gatehouse } from './gatehouse.ts';

const SECRET = 'secret-of-this-home';
const gatehouse = new Gatehouse();
/** The requests to the identity provider, and its next response. */
const requests: { path: string | undefined; authorization: string | undefined; body: unknown }[] = [];
let nextResponse: { status: number; body: string };
let provider: Server;

const token = (...args: string[]) => gatehouse.begin(['token', ...args]).ended;

beforeAll(async () => {
  provider = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push({ path: request.url, authorization: request.headers.authorization, body: JSON.parse(body) });
      response.writeHead(nextResponse.status, { 'content-type': 'application/json' }).end(nextResponse.body);
    });
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  mkdirSync(join(gatehouse.home, 'secrets'), { recursive: true });
  writeFileSync(join(gatehouse.home, 'secrets', 'local-tokens'), SECRET);
});
afterAll(() => {
  provider.close();
  rmSync(gatehouse.home, { recursive: true, force: true });
});

const platformFile = join(gatehouse.home, 'platform.json');
const platform = (text?: string): void => {
  const { port } = provider.address() as AddressInfo;
  writeFileSync(platformFile, text ?? JSON.stringify({ issuer: `http://127.0.0.1:${port}` }));
};

describe('gatehouse token', () => {
  it('prints only a token on stdout', async () => {
    platform();
    nextResponse = { status: 200, body: '{"access_token":"ey.a.b"}' };
    expect(await token('--user', 'alice')).toEqual({ code: 0, stdout: 'ey.a.b\n', stderr: '' });
    expect(requests.at(-1)).toEqual({
      path: '/local/tokens',
      authorization: `Bearer ${SECRET}`,
      body: { user: 'alice', ttl_seconds: 600 },
    });
    expect((await token('--client', 'ai-gateway', '--json', '--audience', 'x', '--ttl', '1h30m')).stdout).toContain(
      '"ey.a.b"',
    );
    expect(requests.at(-1)?.body).toEqual({ client: 'ai-gateway', audience: 'x', ttl_seconds: 5400 });
  });

  it.each([
    [[]],
    [['--user', 'alice', '--client', 'ai-gateway']],
    [['--user', 'alice', '--ttl', '0s']],
    [['--user', 'alice', '--ttl', '25h']],
    [['--user', 'alice', '--ttl', '1.5s']],
    [['--user', 'alice', '--ttl', '-1s']],
    [['--user', 'alice', '--ttl', '']],
    [['--user', '']],
  ])('refuses %j before it sends a request', async (args) => {
    platform();
    const before = requests.length;
    const { code, stdout, stderr } = await token(...args);
    expect([code, stdout, requests.length]).toEqual([2, '', before]);
    expect(stderr).not.toBe('');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('prints the message of the provider about an unknown name', async () => {
    platform();
    nextResponse = { status: 404, body: '{"error":"there is no user \\"eve\\"; there are: alice"}' };
    expect(await token('--user', 'eve')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('there is no user "eve"'),
    });
  });

  it.each(['', '<html>', 'null', '[]', '"x"', '{"access_token":7}', '{"access_token":""}'])(
    'prints no token and no stack when the provider answers %j',
    async (body) => {
      platform();
      nextResponse = { status: 200, body };
      const { code, stdout, stderr } = await token('--user', 'alice');
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('identity provider');
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );

  it.each(['', '{', 'null', '[]', '{}', '{"issuer":7}', '{"issuer":"no address"}', '{"issuer":"http://127.0.0.1:1"}'])(
    'reports that no platform runs when platform.json contains %j',
    async (text) => {
      platform(text);
      const { code, stdout, stderr } = await token('--user', 'alice');
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('the local platform of');
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );

  it.each(['https://evil.test', 'http://127.0.0.1.evil.test', 'http://evil.test:8090', 'http://127.0.0.1@evil.test'])(
    'sends the secret of the home to no other machine: %s',
    async (issuer) => {
      platform(JSON.stringify({ issuer }));
      const { code, stdout, stderr } = await token('--user', 'alice');
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('not an address of this machine');
    },
  );

  it('reports missing secrets and secrets of another user', async () => {
    platform();
    const secrets = join(gatehouse.home, 'secrets');
    rmSync(join(secrets, 'local-tokens'));
    const { code, stderr } = await token('--user', 'alice');
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be read');
    writeFileSync(join(secrets, 'local-tokens'), SECRET);
    chmodSync(secrets, 0o700);
  });
});

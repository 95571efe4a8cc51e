import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { addressIn, LocalPlatform } from './local-platform.ts';
import { Gatehouse } from './gatehouse.ts';

jest.setTimeout(60_000);

/** A server that imitates a manager, with its responses by path. */
let answers: Record<string, { status?: number; body: unknown }> = {};
const asked: string[] = [];
let server: Server;
let manager: string;
let platform: LocalPlatform;
const gatehouse = new Gatehouse();

const bootstrap = (changes: object = {}) => ({
  body: {
    issuer: platform.urls.identity_provider,
    client_id: 'gatehouse-cli',
    scopes_supported: ['openid', 'offline_access'],
    config_endpoint: `${manager}/api/v1beta/config`,
    jwks_uri: `${manager}/.well-known/jwks.json`,
    oauth_protected_resource: `${manager}/.well-known/oauth-protected-resource`,
    ...changes,
  },
});
const WELL_KNOWN = '/.well-known/gatehouse-configuration';
const METADATA = '/.well-known/oauth-protected-resource';
const login = (...args: string[]) =>
  gatehouse.call(['login', '--no-browser', '--timeout', '2s', '--url', manager, ...args]);

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`);
    const { status = 200, body } = answers[request.url ?? ''] ?? { status: 404, body: { error: 'not found' } };
    const headers = { 'content-type': 'application/json', location: 'https://evil.test/' };
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  manager = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  platform = await LocalPlatform.start();
});
afterEach(() => {
  answers = {};
});
afterAll(async () => {
  server.close();
  await platform.stop();
  rmSync(gatehouse.home, { recursive: true, force: true });
});

describe('gatehouse login refuses a provider', () => {
  it.each<[string, () => typeof answers, string]>([
    ['for an address where nothing is', () => ({}), 'does not answer like an enterprise manager (HTTP 404)'],
    ['for a page', () => ({ [WELL_KNOWN]: { body: '<html>' } }), 'does not answer like an enterprise manager'],
    ['for half a document', () => ({ [WELL_KNOWN]: { body: { issuer: 'https://x' } } }), 'does not answer like'],
    ['along a redirect', () => ({ [WELL_KNOWN]: { status: 302, body: '' } }), 'cannot be reached'],
    [
      'without TLS',
      () => ({ [WELL_KNOWN]: bootstrap({ issuer: 'http://evil.test' }) }),
      'which is not an https address',
    ],
    ['that is no address', () => ({ [WELL_KNOWN]: bootstrap({ issuer: 'x' }) }), 'which is not an https address'],
    [
      'whose metadata contains another issuer',
      () => ({ [WELL_KNOWN]: bootstrap({ issuer: `${platform.urls.identity_provider}/other` }) }),
      'cannot be read',
    ],
    ['that is not running', () => ({ [WELL_KNOWN]: bootstrap({ issuer: 'http://127.0.0.1:1' }) }), 'cannot be read'],
    [
      'for a manager that says it is another one (RFC 9728, section 3.3)',
      () => ({ [WELL_KNOWN]: bootstrap(), [METADATA]: { body: { resource: platform.urls.enterprise_manager } } }),
      'The resource of the manager',
    ],
  ])('%s', async (_, given, sentence) => {
    answers = given();
    const { code, stdout, stderr } = await login();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('Open this address');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each([
    [['--timeout', '0s'], '--timeout must be'],
    [['--timeout', '2h'], '--timeout must be'],
    [['--prompt', 'nonsense'], 'prompt'],
    [['--device'], 'no-browser'],
    [['--url', 'gatehouse.example.com'], '--url must be an address'],
    [['--url', 'http://gatehouse.example.com'], 'must begin with https://'],
    [['extra'], 'Unexpected argument'],
  ])('for %j', async (args, sentence) => {
    const { code, stdout, stderr } = await gatehouse.call(['login', '--no-browser', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });

  it('without an address of the manager', async () => {
    expect(await gatehouse.call(['login'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The address of the enterprise manager is missing'),
    });
    expect(await gatehouse.call(['whoami'])).toMatchObject({ code: 2 });
  });
});

describe('gatehouse login after a refusal', () => {
  it('suggests --resource when the provider does not know the resource', async () => {
    answers = { [WELL_KNOWN]: bootstrap(), [METADATA]: { body: { resource: manager } } };
    const running = gatehouse.begin(['login', '--no-browser', '--url', manager]);
    const page = await platform.approve(await addressIn(running), 'alice').catch(() => '');
    expect(page).not.toContain('Signed in');
    expect(await running.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('--resource') });
  });

  it('revokes and does not store a session that the manager does not accept', async () => {
    answers = { [WELL_KNOWN]: bootstrap(), '/v1/me': { status: 401, body: { error: 'the audience is another one' } } };
    const running = gatehouse.begin(['login', '--no-browser', '--url', manager], { GATEHOUSE_SESSION_STORE: 'file' });
    await platform.approve(await addressIn(running), 'alice');
    const { code, stdout, stderr } = await running.ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Signed in, but');
    expect(stderr).toContain('the audience is another one');
    const token = /Bearer (\S+)/.exec(asked.join('\n'))?.[1] ?? '';
    expect(token).toContain('.');
    expect(stderr).not.toContain(token);
    const folder = join(gatehouse.home, 'sessions');
    expect(existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []).toEqual([]);
  });

  it('never sends a token to the target of a redirect', async () => {
    answers = { '/v1/me': { status: 307, body: '' } };
    const ended = await gatehouse.call(['whoami', '--url', manager], { GATEHOUSE_TOKEN: 'secret-token' });
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be reached') });
  });
});

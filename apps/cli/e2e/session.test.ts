import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Session, Sessions } from '../src/services/session/sessions.ts';
import { type Ended, Gatehouse } from './gatehouse.ts';
import { addressIn, LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
let manager: string;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  manager = platform.urls.enterprise_manager;
});
afterAll(() => platform.stop());

const call = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  platform.gatehouse.call(args, { GATEHOUSE_SESSION_STORE: 'file', ...env });
const sessions = (): Sessions => new Sessions(platform.gatehouse.home, 'file');
const session = async (): Promise<Session> => {
  const found = await sessions().read(manager);
  if (!found) throw new Error('there is no session');
  return found;
};
const expire = async () => sessions().keep({ ...(await session()), access_expires_at: 0 });
const sessionFile = (): string => {
  const folder = join(platform.gatehouse.home, 'sessions');
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.json')) ?? '');
};
/** Requests new tokens with a refresh token, as an attacker who found it would. */
const tryRefreshToken = async (token: string): Promise<number> => {
  const response = await fetch(`${platform.urls.identity_provider}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'gatehouse-cli', refresh_token: token }),
  });
  await response.body?.cancel();
  return response.status;
};

describe('gatehouse login in a browser', () => {
  it('signs in at the local platform, and the manager identifies the user', async () => {
    expect(await platform.login('alice')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining(`Signed in to ${manager} as alice\n`),
    });
    expect(JSON.parse((await call(['whoami', '--json'])).stdout)).toMatchObject({ user_name: 'alice', active: true });
    expect((await call(['whoami'])).stdout).toMatch(/^user_name +alice$/m);
  });

  it('stores an encrypted file that only its owner can read', async () => {
    const { access_token: access, refresh_token: refresh = '' } = await session();
    expect([access.length > 100, refresh.length > 20]).toEqual([true, true]);
    const folder = join(platform.gatehouse.home, 'sessions');
    for (const name of readdirSync(folder)) {
      expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain(refresh);
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain(access.split('.')[2]);
    }
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('prints the session as JSON, without a token', async () => {
    const { stdout } = await platform.login('bob', '--json');
    expect(JSON.parse(stdout)).toEqual({
      manager,
      issuer: platform.urls.identity_provider,
      subject: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_name: 'bob',
      kept_in: 'file',
      lasting: true,
    });
  });

  it('ignores other requests and waits for the redirect', async () => {
    const running = platform.gatehouse.begin(['login', '--no-browser'], { GATEHOUSE_SESSION_STORE: 'file' });
    const address = await addressIn(running);
    const parameters = new URL(address).searchParams;
    const redirect = new URL(parameters.get('redirect_uri') ?? '');
    const knock = (path: string, init: { method?: string; host?: string } = {}) =>
      new Promise<number>((resolve) => {
        const headers = { host: init.host ?? redirect.host };
        request({ host: '127.0.0.1', port: redirect.port, path, method: init.method ?? 'GET', headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        }).end();
      });
    const state = parameters.get('state') ?? '';
    expect(await knock('/callback?code=x&state=other')).toBe(400);
    expect(await knock('/callback?code=x')).toBe(400);
    expect(await knock('/callback?error=access_denied&state=')).toBe(400);
    expect(await knock(`/callback?code=x&state=${state}`, { method: 'POST' })).toBe(404);
    expect(await knock('/favicon.ico')).toBe(404);
    expect(await knock(`/callback?code=x&state=${state}`, { host: 'evil.test' })).toBe(421);
    expect(await knock(`http://evil.test/callback?code=x&state=${state}`)).toBe(421);
    expect(await platform.approve(address, 'alice')).toContain('Signed in');
    expect((await running.ended).code).toBe(0);
  });

  it.each([
    ['another issuer', 'code=x&iss=https%3A%2F%2Fevil.test'],
    ['no issuer, from a provider that always names itself', 'code=x'],
    ['a code that the provider did not give', 'code=x&iss=ISSUER'],
    ['the same parameter twice', 'code=x&code=y&iss=ISSUER'],
  ])('refuses a redirect with %s', async (_, query) => {
    const running = platform.gatehouse.begin(['login', '--no-browser'], { GATEHOUSE_SESSION_STORE: 'file' });
    const parameters = new URL(await addressIn(running)).searchParams;
    const issuer = encodeURIComponent(platform.urls.identity_provider);
    const page = await fetch(
      `${parameters.get('redirect_uri')}?${query.replace('ISSUER', issuer)}&state=${parameters.get('state')}`,
    );
    expect(await page.text()).toContain('Not signed in');
    expect(await running.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Error: The sign-in failed'),
    });
  });

  it('shows the message of the provider as text, not as markup', async () => {
    const running = platform.gatehouse.begin(['login', '--no-browser']);
    const parameters = new URL(await addressIn(running)).searchParams;
    const query = new URLSearchParams({
      error: 'server_error',
      error_description: '<script>alert(1)</script>\u001b[2J',
      iss: platform.urls.identity_provider,
      state: parameters.get('state') ?? '',
    });
    const page = await fetch(`${parameters.get('redirect_uri')}?${query.toString()}`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).not.toContain('<script>');
    const { stderr } = await running.ended;
    expect(stderr).not.toContain('\u001b');
  });

  it('exits with 5 when the user cancels', async () => {
    const running = platform.gatehouse.begin(['login', '--no-browser']);
    const parameters = new URL(await addressIn(running)).searchParams;
    const query = new URLSearchParams({
      error: 'access_denied',
      iss: platform.urls.identity_provider,
      state: parameters.get('state') ?? '',
    });
    await (await fetch(`${parameters.get('redirect_uri')}?${query.toString()}`)).text();
    expect(await running.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('refused or cancelled') });
  });

  it('ends after its timeout and on Ctrl-C', async () => {
    expect(await call(['login', '--no-browser', '--timeout', '1s'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No user signed in within 1 s'),
    });
    const running = platform.gatehouse.begin(['login', '--no-browser']);
    await addressIn(running);
    running.process.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });
});

describe('gatehouse login with a device code', () => {
  const device = () =>
    platform.gatehouse.begin(['login', '--device'], { GATEHOUSE_SESSION_STORE: 'file', DISPLAY: '', BROWSER: '' });
  const code = /^ {2}([A-Z]{4}-[A-Z]{4})$/m;

  it('signs in when the code is entered', async () => {
    const running = device();
    expect(await platform.approveDevice(await addressIn(running, code), 'carol')).toContain('Signed in');
    expect(await running.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('as carol') });
    expect((await session()).refresh_token).toBeDefined();
  });

  it('is the default without a browser', async () => {
    const env = { DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' };
    const running = platform.gatehouse.begin(['login', '--timeout', '1s'], env);
    expect(await addressIn(running, code)).toMatch(/-/);
    expect((await running.ended).code).toBe(1);
  });

  it('reports that the user cancelled', async () => {
    const running = device();
    await platform.approveDevice(await addressIn(running, code), 'carol', false);
    expect(await running.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('refused or cancelled') });
  });
});

describe('a session', () => {
  it('continues with a new access token, and the old refresh token becomes invalid', async () => {
    await platform.login('alice');
    await expire();
    const before = await session();
    expect((await call(['whoami'])).code).toBe(0);
    const after = await session();
    expect(after.refresh_token).not.toBe(before.refresh_token);
    expect(after.access_expires_at).toBeGreaterThan(Date.now());
  });

  it('is refreshed once when many commands run at the same time', async () => {
    await platform.login('alice');
    for (let round = 0; round < 2; round += 1) {
      await expire();
      const ended = await Promise.all(Array.from({ length: 5 }, () => call(['whoami', '--json'])));
      // The provider revokes a session whose old refresh token is used again, so a second refresh
      // would fail here or in the next round.
      expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    }
  });

  it('replaces an access token that the manager does not accept', async () => {
    await platform.login('alice');
    await sessions().keep({ ...(await session()), access_token: `${(await session()).access_token}x` });
    expect((await call(['whoami'])).code).toBe(0);
  });

  it('that the provider revoked leads to the advice to sign in again', async () => {
    await platform.login('alice');
    await expire();
    const { refresh_token: token = '' } = await session();
    expect([await tryRefreshToken(token), await tryRefreshToken(token)]).toEqual([200, 400]);
    const { code, stdout, stderr } = await call(['whoami', '--debug']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Your session with ${manager} has ended`);
    expect(stderr).toContain(`Try: gatehouse login --url ${manager}`);
    expect(stderr).not.toContain(token);
    expect((await call(['whoami'])).stderr).toContain(`You are not signed in to ${manager}`);
  });

  it.each<[string, () => void]>([
    [
      'one changed character',
      () =>
        edit((text) => text.replace(/"sealed":"(.)/, (all, c: string) => all.slice(0, -1) + (c === 'A' ? 'B' : 'A'))),
    ],
    ['half of it', () => edit((text) => text.slice(0, text.length / 2))],
    ['nothing in it', () => edit(() => '')],
    [
      'another key',
      () => writeFileSync(join(platform.gatehouse.home, 'sessions', 'key'), Buffer.alloc(32).toString('base64url')),
    ],
    ['no key', () => writeFileSync(join(platform.gatehouse.home, 'sessions', 'key'), '')],
  ])('with %s leads to the advice to sign in again, which works', async (_, damage) => {
    await platform.login('alice');
    const key = readFileSync(join(platform.gatehouse.home, 'sessions', 'key'));
    damage();
    const { code, stdout, stderr } = await call(['whoami']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('cannot be read');
    expect(stderr).toContain('gatehouse login');
    expect(stderr).not.toMatch(/^\s+at /m);
    writeFileSync(join(platform.gatehouse.home, 'sessions', 'key'), key);
    expect((await platform.login('alice')).code).toBe(0);
    expect((await call(['whoami'])).code).toBe(0);
  });

  it('is used only for its own manager', async () => {
    await platform.login('alice');
    const other = 'http://127.0.0.1:1';
    await sessions().keep({ ...(await session()), manager: other });
    const folder = join(platform.gatehouse.home, 'sessions');
    const own = sessionFile();
    const texts = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    const foreign = texts.find((text) => text.includes(other)) ?? '';
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.json')))
      writeFileSync(join(folder, name), foreign);
    expect(own).toContain('sessions');
    expect((await call(['whoami', '--url', manager])).stderr).toContain('cannot be read');
    await sessions().forget(other);
  });
});

describe('gatehouse logout', () => {
  it('revokes the session at the provider and deletes it', async () => {
    await platform.login('alice');
    const { refresh_token: token = '' } = await session();
    expect(JSON.parse((await call(['logout', '--json'])).stdout)).toEqual({
      manager,
      status: 'signed_out',
      revoked: true,
    });
    expect(await tryRefreshToken(token)).toBe(400);
    expect(await sessions().read(manager)).toBeUndefined();
    expect(await call(['logout'])).toMatchObject({ code: 0, stderr: `There is no session with ${manager}\n` });
    expect(await call(['whoami'])).toMatchObject({ code: 1, stderr: expect.stringContaining('not signed in') });
  });

  it('deletes a session that it cannot read or revoke', async () => {
    await platform.login('alice');
    edit(() => '{}');
    const { code, stderr } = await call(['logout']);
    expect(code).toBe(0);
    expect(stderr).toContain('still exists at the provider');
    expect(readdirSync(join(platform.gatehouse.home, 'sessions')).filter((name) => name.endsWith('.json'))).toEqual([]);
  });
});

function edit(change: (text: string) => string): void {
  const file = sessionFile();
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** A server that imitates a manager, with its responses by path. */
let responses: Record<string, { status?: number; body: unknown }> = {};
const requests: string[] = [];
let server: Server;
let fakeManager: string;
const otherGatehouse = new Gatehouse();

const bootstrap = (changes: object = {}) => ({
  body: {
    issuer: platform.urls.identity_provider,
    client_id: 'gatehouse-cli',
    scopes_supported: ['openid', 'offline_access'],
    config_endpoint: `${fakeManager}/api/v1beta/config`,
    jwks_uri: `${fakeManager}/.well-known/jwks.json`,
    oauth_protected_resource: `${fakeManager}/.well-known/oauth-protected-resource`,
    ...changes,
  },
});
const WELL_KNOWN = '/.well-known/gatehouse-configuration';
const METADATA = '/.well-known/oauth-protected-resource';
const login = (...args: string[]) =>
  otherGatehouse.call(['login', '--no-browser', '--timeout', '2s', '--url', fakeManager, ...args]);

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`);
    const { status = 200, body } = responses[request.url ?? ''] ?? { status: 404, body: { error: 'not found' } };
    const headers = { 'content-type': 'application/json', location: 'https://evil.test/' };
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  fakeManager = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  responses = {};
});
afterAll(() => {
  server.close();
  rmSync(otherGatehouse.home, { recursive: true, force: true });
});

describe('gatehouse login refuses a provider', () => {
  it.each<[string, () => typeof responses, string]>([
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
    responses = given();
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
    const { code, stdout, stderr } = await otherGatehouse.call(['login', '--no-browser', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });

  it('without an address of the manager', async () => {
    expect(await otherGatehouse.call(['login'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The address of the enterprise manager is missing'),
    });
    expect(await otherGatehouse.call(['whoami'])).toMatchObject({ code: 2 });
  });
});

describe('gatehouse login after a refusal', () => {
  it('suggests --resource when the provider does not know the resource', async () => {
    responses = { [WELL_KNOWN]: bootstrap(), [METADATA]: { body: { resource: fakeManager } } };
    const running = otherGatehouse.begin(['login', '--no-browser', '--url', fakeManager]);
    const page = await platform.approve(await addressIn(running), 'alice').catch(() => '');
    expect(page).not.toContain('Signed in');
    expect(await running.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('--resource') });
  });

  it('revokes and does not store a session that the manager does not accept', async () => {
    responses = {
      [WELL_KNOWN]: bootstrap(),
      '/v1/me': { status: 401, body: { error: 'the audience is another one' } },
    };
    const running = otherGatehouse.begin(['login', '--no-browser', '--url', fakeManager], {
      GATEHOUSE_SESSION_STORE: 'file',
    });
    await platform.approve(await addressIn(running), 'alice');
    const { code, stdout, stderr } = await running.ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Signed in, but');
    expect(stderr).toContain('the audience is another one');
    const token = /Bearer (\S+)/.exec(requests.join('\n'))?.[1] ?? '';
    expect(token).toContain('.');
    expect(stderr).not.toContain(token);
    const folder = join(otherGatehouse.home, 'sessions');
    expect(existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []).toEqual([]);
  });

  it('never sends a token to the target of a redirect', async () => {
    responses = { '/v1/me': { status: 307, body: '' } };
    const ended = await otherGatehouse.call(['whoami', '--url', fakeManager], { GATEHOUSE_TOKEN: 'secret-token' });
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be reached') });
  });
});

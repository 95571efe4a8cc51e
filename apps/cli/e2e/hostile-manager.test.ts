import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Gatehouse } from './gatehouse.ts';

jest.setTimeout(60_000);

/** Two sequences that clear a screen, and a character that reverses the writing direction. */
const EVIL = '\u001b[2JEVIL\u009b31m\u202e';
/** Finds a control character other than the line breaks of the CLI. */
const findControl = (text: string) => /[\p{Cc}\u202e]/u.exec(text.replaceAll('\n', ''));

const ID = '00000000-0000-4000-8000-000000000000';
/** JSON documents that are not responses of a manager. */
const INCOMPLETE: Readonly<Record<string, unknown>> = {
  empty: {},
  odd: { items: {}, keys: 'x', key: 1, secret: {}, groups: {}, versions: 1, issuer: 1, direct_child_groups: 1 },
  void: { items: [null], keys: [1], key: null, groups: [[], 'x'], versions: [null], transitive_users: [null] },
};

let server: Server;
let manager: string;
const gatehouse = new Gatehouse();

const provider = (path: string, changes: object) => ({
  [`/${path}/.well-known/gatehouse-configuration`]: {
    issuer: `${manager}/${path}`,
    client_id: 'gatehouse-cli',
    scopes_supported: ['openid'],
    config_endpoint: `${manager}/api/v1beta/config`,
    jwks_uri: `${manager}/.well-known/jwks.json`,
  },
  [`/${path}/.well-known/openid-configuration`]: {
    issuer: `${manager}/${path}`,
    authorization_endpoint: `${manager}/authorize`,
    token_endpoint: `${manager}/token`,
    device_authorization_endpoint: `${manager}/device`,
    ...changes,
  },
});
const createResponses = (): Record<string, unknown> => ({
  '/v1/me': { issuer: EVIL, subject: EVIL, [EVIL]: EVIL, groups: [{ display_name: EVIL }] },
  '/v1/users?limit=50': `${EVIL} is no JSON`,
  '/v1/groups?limit=50': { items: [{ id: EVIL, name: EVIL, display_name: EVIL }] },
  '/v1/keys': { secret: EVIL, key: { id: EVIL, name: EVIL } },
  ...provider('script', { authorization_endpoint: 'javascript:alert(1)' }),
  ...provider('device', {}),
  '/device': { device_code: 'c', user_code: EVIL, verification_uri: `javascript:${EVIL}`, expires_in: 60 },
  ...provider('shown', { device_authorization_endpoint: `${manager}/shown-device` }),
  '/shown-device': { device_code: 'c', user_code: EVIL, verification_uri: `${manager}/${EVIL}`, expires_in: 60 },
});

/** Sends spaces until the client disconnects. */
function flood(response: ServerResponse): void {
  const blanks = Buffer.alloc(1024 * 1024, ' ');
  const more = (): void => {
    while (!response.destroyed) if (!response.write(blanks)) return void response.once('drain', more);
  };
  more();
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    const incomplete = INCOMPLETE[path.split('/', 2)[1] ?? ''];
    if (incomplete !== undefined) {
      response.end(JSON.stringify(incomplete));
      return;
    }
    if (path === '/v1/audit-events?limit=50') response.writeHead(503, { 'retry-after': '1\u009b2J' });
    else response.writeHead(path in createResponses() || path.startsWith('/flood') ? 200 : 404);
    if (path.startsWith('/flood')) flood(response);
    else {
      const body = createResponses()[path] ?? { error: EVIL };
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  manager = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(gatehouse.home, { recursive: true, force: true });
});

const call = (...args: string[]) => gatehouse.call(args, { GATEHOUSE_URL: manager, GATEHOUSE_TOKEN: 'token' });
const login = (path: string, ...args: string[]) =>
  gatehouse.call(['login', '--timeout', '2s', '--url', `${manager}/${path}`, ...args]);

describe('a hostile manager', () => {
  it.each([
    [['whoami'], 0, 'EVIL'],
    [['whoami', '--json'], 0, 'EVIL'],
    [['admin', 'groups', 'list'], 0, 'EVIL'],
    [['admin', 'groups', 'list', '--json'], 0, 'EVIL'],
    [['keys', 'create'], 0, 'EVIL'],
    [['admin', 'users', 'list'], 1, 'does not answer like an enterprise manager'],
    [['admin', 'secrets', 'list'], 1, 'EVIL'],
    [['admin', 'audit', '--debug'], 1, 'EVIL'],
  ])('cannot write control characters to the terminal of %j', async (args, code, word) => {
    const ended = await call(...args);
    expect(ended.code).toBe(code);
    expect(`${ended.stdout}${ended.stderr}`).toContain(word);
    expect(findControl(`${ended.stdout}${ended.stderr}`)).toBeNull();
  });

  it.each(
    [
      ['admin', 'users', 'list'],
      ['admin', 'groups', 'list'],
      ['admin', 'groups', 'members', ID],
      ['admin', 'secrets', 'list'],
      ['admin', 'scim-tokens', 'list'],
      ['admin', 'scim-tokens', 'create', 'x', '--issuer', 'local'],
      ['admin', 'signing-keys', 'list'],
      ['admin', 'signing-keys', 'rotate', '--yes'],
      ['admin', 'key-encryption', 'show'],
      ['admin', 'audit'],
      ['keys', 'list'],
      ['keys', 'create'],
      ['whoami'],
    ].map((args) => ({ args, command: args.join(' ') })),
  )('with an incomplete response is refused by $command', async ({ args }) => {
    for (const part of ['empty', 'odd', 'void']) {
      const { code, stdout, stderr } = await gatehouse.call(args, {
        GATEHOUSE_URL: `${manager}/${part}`,
        GATEHOUSE_TOKEN: 'token',
      });
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        `Error: ${manager}/${part} does not answer like an enterprise manager (HTTP 200)\nTry: check --url: the address must not include /v1\n`,
      ]);
    }
  });

  it.each([
    [['admin', 'users', 'get', ID], 'gatehouse admin users list'],
    [['admin', 'groups', 'get', ID], 'gatehouse admin groups list'],
    [['admin', 'secrets', 'get', ID], 'gatehouse admin secrets list'],
    [['admin', 'scim-tokens', 'get', ID], 'gatehouse admin scim-tokens list'],
    [['admin', 'signing-keys', 'withdraw', 'kid', '--yes'], 'gatehouse admin signing-keys list'],
  ])('without the object leads to the advice to list the objects: %j', async (args, list) => {
    const { code, stderr } = await call(...args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`\nTry: ${list}\n$`))]);
  });

  it('is distinguished from an unreachable one', async () => {
    const { stderr } = await call('admin', 'users', 'list');
    expect(stderr).toContain('does not answer like an enterprise manager');
    expect(stderr).not.toContain('EVIL');
  });

  it('cannot exhaust the memory with an endless response', async () => {
    expect(await login('flood', '--no-browser')).toMatchObject({ code: 1, stdout: '' });
    const ended = await gatehouse.call(['whoami', '--url', `${manager}/flood`], { GATEHOUSE_TOKEN: 'token' });
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be reached') });
  });

  it('cannot start a program of this machine', async () => {
    const browser = await login('script', '--no-browser');
    expect(browser).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('authorization_endpoint of the metadata document is not an http address'),
    });
    const device = await login('device', '--device');
    expect(device).toMatchObject({ code: 1, stderr: expect.stringContaining('which is not a web address') });
    expect(findControl(`${browser.stderr}${device.stderr}`)).toBeNull();
  });

  it('has its code and address shown as text', async () => {
    const { stderr } = await login('shown', '--device');
    expect(stderr).toContain('\\u001b[2JEVIL');
    expect(stderr).toContain('%1B[2JEVIL');
    expect(findControl(stderr)).toBeNull();
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signEnvelope } from '@gatehouse/signed-config/sign';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { managerEnvironment } from '../src/config/config.ts';
import { showConfig } from '../src/services/config.ts';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';
import { Relay } from './relay.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
let upstream: McpUpstream;
const call = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  platform.gatehouse.call(args, { GATEHOUSE_SESSION_STORE: 'file', ...env });
const ok = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await call(args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};
const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await ok(...args, '--json')) as T;

beforeAll(async () => {
  platform = await LocalPlatform.start();
  upstream = await startMcpUpstream();
  expect((await platform.login('admin')).code).toBe(0);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await upstream.close();
});

describe('gatehouse whoami', () => {
  it('shows the roles of the token', async () => {
    expect(await ok('whoami')).toMatch(/^roles +admin, user$/m);
    expect(await json('whoami')).toMatchObject({ roles: ['admin', 'user'], groups: expect.any(Array) });
  });
});

describe('the advice for a refused token', () => {
  const wrong = 'not.a.token';

  it('contains the variable of the token', async () => {
    const { code, stderr } = await call(['whoami'], { GATEHOUSE_TOKEN: wrong });
    expect(code).toBe(1);
    expect(stderr).toContain('does not accept the access token of GATEHOUSE_TOKEN: ');
    expect(stderr).toContain('Try: GATEHOUSE_TOKEN with a token that this manager accepts');
    expect(stderr).toContain('unset GATEHOUSE_TOKEN, then gatehouse login');
    expect(stderr).not.toContain(wrong);
  });

  it('contains the variable of the file, or the flag', async () => {
    const file = join(platform.gatehouse.home, 'wrong-token');
    writeFileSync(file, wrong);
    expect((await call(['whoami'], { GATEHOUSE_TOKEN_FILE: file })).stderr).toContain('Try: GATEHOUSE_TOKEN_FILE with');
    expect((await call(['whoami', '--token-file', file])).stderr).toContain('Try: --token-file with');
    for (const [args, env, name] of [
      [[], { GATEHOUSE_TOKEN_FILE: '/nonexistent' }, 'GATEHOUSE_TOKEN_FILE /nonexistent cannot be read'],
      [['--token-file', '/nonexistent'], {}, '--token-file /nonexistent cannot be read'],
    ] as const) {
      expect(await call(['whoami', ...args], env)).toMatchObject({ code: 2, stderr: expect.stringContaining(name) });
    }
  });

  it('contains GATEHOUSE_URL when this address does not answer', async () => {
    const { stderr } = await call(['whoami'], { GATEHOUSE_URL: 'http://127.0.0.1:1', GATEHOUSE_TOKEN: 'x' });
    expect(stderr).toContain('GATEHOUSE_URL with the address of the manager');
  });
});

describe('gatehouse admin audit, connections, keys and details', () => {
  beforeAll(async () => {
    await ok('admin', 'groups', 'create', 'auditees');
    await ok('admin', 'groups', 'add-user', 'auditees', 'alice');
    const endpoint = ['--endpoint', upstream.url, '--private-addresses', '--publish'];
    await ok('admin', 'connectors', 'create', 'demo', ...endpoint);
    await ok('admin', 'policy', 'grant', 'demo', '--group', 'auditees');
    await ok('admin', 'users', 'metadata', 'set', 'alice', '--file', metadataFile());
    expect((await platform.login('alice')).code).toBe(0);
    await ok('connectors', 'enable', 'demo');
    expect((await platform.login('admin')).code).toBe(0);
  }, 120_000);
  const metadataFile = () => {
    const file = join(platform.gatehouse.home, 'metadata.json');
    writeFileSync(file, '{"team":"a"}');
    return file;
  };

  it('show the names of the actor and of the object', async () => {
    const trail = await ok('admin', 'audit', '--limit', '20');
    expect(trail).toMatch(/^TIME +OUTCOME +OPERATION +BY +OBJECT/);
    expect(trail).toMatch(/ admin +group auditees/);
    expect(trail).toMatch(/ admin +user alice/);
  });

  it('show the events that a user caused, and those about the user', async () => {
    const about = await json<{ object_kind?: string; operation: string }[]>('admin', 'audit', '--user', 'alice');
    expect(about.length).toBeGreaterThan(0);
    expect(about.every(({ object_kind: kind }) => kind === 'user')).toBe(true);
    const by = await json<{ subject_id: string; occurred_at: string }[]>(
      'admin',
      'audit',
      '--user',
      'admin',
      '--limit',
      '3',
    );
    expect(by).toHaveLength(3);
    expect(by.map(({ occurred_at: at }) => at)).toEqual(
      by
        .map(({ occurred_at: at }) => at)
        .sort()
        .reverse(),
    );
    expect((await call(['admin', 'audit', '--user', 'unknown'])).stderr).toContain('There is no user "unknown"');
    expect((await call(['admin', 'audit', '--user', 'alice', '--subject', 'x'])).code).toBe(2);
  });

  it('list connections by connector and by user, with names', async () => {
    const row = /^CONNECTOR +USER +ENABLED.*\ndemo +alice +yes /;
    expect(await ok('admin', 'connections', 'list', 'demo')).toMatch(row);
    expect(await ok('admin', 'connections', 'list', '--user', 'alice')).toMatch(row);
    expect(await ok('admin', 'connections', 'list', 'demo', '--user', 'alice')).toMatch(row);
    expect(await json('admin', 'connections', 'list', '--user', 'bob')).toEqual([]);
    const [connection] = await json<{ id: string }[]>('admin', 'connections', 'ls', '--user', 'alice');
    expect(connection).not.toHaveProperty('connector');
    expect(await ok('admin', 'connections', 'get', connection?.id ?? '')).toMatch(/^user_name +alice$/m);
    expect(await call(['admin', 'connections', 'list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give a connector or --user'),
    });
  });

  it('list the keys of all users, or of one user', async () => {
    expect((await platform.login('bob')).code).toBe(0);
    await ok('keys', 'create', '--name', 'laptop');
    expect((await platform.login('admin')).code).toBe(0);
    expect(await ok('admin', 'keys', 'list')).toMatch(/^USER +ID +NAME +STATUS.*\nbob +\S+ +laptop +active /);
    expect(await json('admin', 'keys', 'ls', '--user', 'bob')).toEqual([
      expect.objectContaining({ user_name: 'bob', name: 'laptop' }),
    ]);
    expect(await json('admin', 'keys', 'list', '--user', 'alice')).toEqual([]);
    expect(await json('admin', 'keys', 'list', '--status', 'revoked')).toEqual([]);
  });

  it('show details as a table and Cedar as lines', async () => {
    const shown = await ok('admin', 'policy', 'cedar', 'demo');
    expect(shown).toMatch(/^document\n {2}\S.*\n/m);
    expect(shown).not.toContain('\\u000a');
    expect(shown).toMatch(/^granted_user_groups\n {2}ID +.*NAME/m);
    const connector = await ok('admin', 'connectors', 'show', 'demo');
    expect(connector).toMatch(/^auth\.type +none$/m);
    expect(connector).not.toContain('{');
  });

  it('require --yes for a deletion without a terminal', async () => {
    for (const args of [
      ['policy', 'revoke', 'demo', '--group', 'auditees'],
      ['groups', 'remove-user', 'auditees', 'alice'],
      ['connectors', 'unpublish', 'demo'],
      ['pricing', 'unstage'],
    ]) {
      const { code, stderr } = await call(['admin', ...args]);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining('repeat the command with --yes')]);
    }
  });
});

let relay: Relay;
beforeAll(async () => {
  relay = await Relay.to(platform.urls.enterprise_manager);
});
afterEach(() => {
  relay.change = (_, response) => response;
});
afterAll(() => relay.close());

interface Shown {
  source: string;
  issued_at: string;
  not_after: string;
  kid: string;
  config: Record<string, unknown>;
}
const token = async (user: string): Promise<string> => (await platform.gatehouse.ok('token', '--user', user)).trim();
/** Runs a command of a user through the relay. */
const through = async (user: string, ...args: string[]): Promise<Ended> =>
  platform.gatehouse.call([...args, '--url', relay.url], { GATEHOUSE_TOKEN: await token(user) });
const set = (document: object): Promise<Ended> => setText(JSON.stringify(document));
const setText = async (document: string): Promise<Ended> =>
  platform.gatehouse.begin(
    ['admin', 'client-config', 'set', '--yes', '--url', platform.urls.enterprise_manager],
    { GATEHOUSE_TOKEN: await token('admin') },
    document,
  ).ended;
/** A configuration without overrides. */
const DOCUMENT = {
  config: { playground: { enforcement: 'default', value: true } },
  overrides: [],
};
const isEnvelope = (path: string): boolean => path === '/api/v1beta/config';
/** Returns the manager's current envelope of a user. */
const fetchEnvelope = async (user: string, audience = 'gatehouse-cli'): Promise<string> => {
  const response = await fetch(`${platform.urls.enterprise_manager}/api/v1beta/config`, {
    headers: { authorization: `Bearer ${await token(user)}`, 'x-client-type': audience, 'x-client-version': '1.0.0' },
  });
  expect(response.status).toBe(200);
  return response.text();
};

describe('gatehouse config', () => {
  it('shows the signed configuration, then the stored one, and fetches it on refresh', async () => {
    expect((await platform.login('alice')).code).toBe(0);
    const first = await platform.gatehouse.json<Shown>('config', 'show');
    expect(first.source).toBe('fresh');
    expect(Date.parse(first.not_after)).toBeGreaterThan(Date.now());
    expect(await platform.gatehouse.json<Shown>('config', 'show')).toEqual({ ...first, source: 'kept' });
    const again = await platform.gatehouse.json<Shown>('config', 'refresh');
    expect([again.source, again.kid]).toEqual(['fresh', first.kid]);
    const { stdout, stderr } = await platform.gatehouse.call(['config', 'refresh']);
    expect(JSON.parse(stdout)).toEqual(first.config);
    expect(stderr).toContain(`From ${platform.urls.enterprise_manager}, issued at `);
  });

  it('stores it in a file that only the owner can read', () => {
    const folder = join(platform.gatehouse.home, 'configurations');
    expect(statSync(folder).mode & 0o077).toBe(0);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  });

  it('receives the changes of administrators', async () => {
    const before = await platform.gatehouse.json<Shown>('config', 'refresh');
    const written = await set(DOCUMENT);
    expect(written).toMatchObject({ code: 0, stdout: '' });
    const etag = /ETag (\S+)/.exec(written.stderr)?.[1] ?? '';
    const admin = { GATEHOUSE_TOKEN: await token('admin') };
    const got = await platform.gatehouse.call(['admin', 'client-config', 'get'], admin);
    expect(JSON.parse(got.stdout)).toEqual(DOCUMENT);
    expect(got.stderr).toBe(`ETag ${etag}\n`);
    const after = await platform.gatehouse.json<Shown>('config', 'refresh');
    expect(after.config).not.toEqual(before.config);
    const stale = ['admin', 'client-config', 'set', '--yes', '--if-match', '"0000"'];
    const lost = await platform.gatehouse.begin(stale, admin, JSON.stringify(DOCUMENT)).ended;
    expect(lost).toMatchObject({ code: 4, stdout: '' });
    const wrong = await set({ config: { no_such_directive: 1 }, overrides: [] });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('no_such_directive') });
  });
});

describe('gatehouse admin client-config', () => {
  it('keeps the text of each number when it is written and read', async () => {
    const rate = '0.1234567890123456789';
    const telemetry = `{"enforcement":"default","value":{"sampling_rate":${rate}}}`;
    const written = await setText(`{"config":{"telemetry":${telemetry}},"overrides":[]}`);
    expect(written).toMatchObject({ code: 0 });
    const admin = { GATEHOUSE_TOKEN: await token('admin') };
    for (const more of [[], ['--json']]) {
      const { stdout } = await platform.gatehouse.call(['admin', 'client-config', 'get', ...more], admin);
      expect(stdout).toContain(`"sampling_rate": ${rate}`);
    }
    expect(await set(DOCUMENT)).toMatchObject({ code: 0 });
  });
});

describe('gatehouse config refuses an envelope', () => {
  const refusal = async (user: string): Promise<string> => {
    const { code, stdout, stderr } = await through(user, 'config', 'refresh');
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).not.toMatch(/^\s+at /m);
    return stderr;
  };

  it('that is older than the stored one', async () => {
    const old = await fetchEnvelope('bob');
    await set({ ...DOCUMENT, config: { playground: { enforcement: 'default', value: false } } });
    expect((await through('bob', 'config', 'refresh')).code).toBe(0);
    relay.change = (path, response) => (isEnvelope(path) ? { status: 200, body: old } : response);
    expect(await refusal('bob')).toContain('(rolled_back)');
    // The accepted configuration stays.
    expect(JSON.parse((await through('bob', 'config', 'show', '--json')).stdout)).toMatchObject({ source: 'kept' });
  });

  it('of another user', async () => {
    const foreign = await fetchEnvelope('carol');
    relay.change = (path, response) => (isEnvelope(path) ? { status: 200, body: foreign } : response);
    expect(await refusal('alice')).toContain('(wrong_subject)');
  });

  it('for another type of client', async () => {
    const other = await fetchEnvelope('alice', 'gatehouse-desktop');
    relay.change = (path, response) => (isEnvelope(path) ? { status: 200, body: other } : response);
    expect(await refusal('alice')).toContain('(wrong_audience)');
  });

  it('that was changed during the transfer', async () => {
    relay.change = (path, response) =>
      isEnvelope(path) ? { ...response, body: response.body.replace('"value":false', '"value":true') } : response;
    expect(await refusal('carol')).toMatch(/\((bad_signature|etag_mismatch)\)/);
  });

  it('signed by a key that is not in the key set', async () => {
    relay.change = (path, response) => (path.endsWith('jwks.json') ? { status: 200, body: '{"keys":[]}' } : response);
    expect(await refusal('carol')).toContain('(unknown_key)');
  });

  it.each(['', '{}', 'null', '<html>', '[]'])('that is invalid: %j', async (body) => {
    relay.change = (path, response) => (isEnvelope(path) ? { status: 200, body } : response);
    expect(await refusal('carol')).toContain('is invalid');
  });

  it('from a changed file', async () => {
    expect((await through('auditor', 'config', 'refresh')).code).toBe(0);
    const folder = join(platform.gatehouse.home, 'configurations');
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      writeFileSync(path, readFileSync(path, 'utf8').replace('\\"value\\":false', '\\"value\\":true'));
    }
    relay.change = (path, response) => (isEnvelope(path) ? { status: 503, body: '{"error":"not now"}' } : response);
    const { code, stdout, stderr } = await through('auditor', 'config', 'show');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('not now');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{');
    relay.change = (_, response) => response;
    const healed = await through('auditor', 'config', 'show');
    expect(healed.code).toBe(0);
    expect(healed.stderr).toContain('is damaged and is ignored');
  });
});

describe('gatehouse config while a dependency of the manager is down', () => {
  /** Creates a key that the relay publishes instead of the manager's. */
  const makeKey = async () => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'relay', alg: 'ES256', use: 'sig' };
    return { kid: 'relay', privateKey, keySet: JSON.stringify({ keys: [jwk] }) };
  };
  const MODE = { policy: 'warn', grace_period: '12h', message: 'The directory is being\nrepaired' } as const;
  const LINE = 'Degraded mode (warn, for 12h): The directory is being\\u000arepaired\n';

  it.each([
    ['reports the mode', { ...MODE, in_force: true }, true],
    ['reports the mode of a manager that sends it only while it is in force', MODE, true],
    ['reports nothing while the mode is not in force', { ...MODE, in_force: false }, false],
  ])('%s', async (_, degraded_mode, isSaid) => {
    const { keySet, ...key } = await makeKey();
    const claims = Buffer.from((await token('admin')).split('.')[1] ?? '', 'base64url').toString();
    const { iss: issuer, sub: subject } = JSON.parse(claims) as { iss: string; sub: string };
    const now = Date.now();
    const envelope = await signEnvelope(
      {
        schema_version: '1',
        config: { playground: { enforcement: 'default', value: true } },
        degraded_mode,
        issued_at: new Date(now).toISOString(),
        not_after: new Date(now + 3_600_000).toISOString(),
        refresh_interval: '5m',
      },
      key,
      { audience: 'gatehouse-cli', issuer, subject },
    );
    relay.change = (path, response) => {
      if (isEnvelope(path)) return { status: 200, body: JSON.stringify(envelope) };
      return path.endsWith('jwks.json') ? { status: 200, body: keySet } : response;
    };
    const { code, stdout, stderr } = await through('admin', 'config', 'refresh');
    expect([code, JSON.parse(stdout)]).toEqual([0, envelope.config]);
    if (isSaid) expect(stderr).toContain(LINE);
    else expect(stderr).not.toContain('Degraded');
    const { stdout: shown } = await through('admin', 'config', 'show', '--json');
    expect(JSON.parse(shown)).toMatchObject({ source: 'kept', degraded_mode });
  });
});

describe('while the manager cannot be reached', () => {
  it('uses the stored configuration until it expires, and reports this', async () => {
    expect((await platform.login('alice')).code).toBe(0);
    const { not_after: end } = await platform.gatehouse.json<Shown>('config', 'refresh');
    await platform.halt();
    const said: string[] = [];
    const at = (now: number) =>
      showConfig({
        home: platform.gatehouse.home,
        managerFlags: {},
        environment: managerEnvironment({ GATEHOUSE_SESSION_STORE: 'file' }),
        version: '0.0.0',
        say: (text) => said.push(text),
        now: () => new Date(now),
      });
    expect(await at(Date.parse(end) - 1000)).toMatchObject({ source: 'kept', not_after: end });
    expect(said.join()).toContain(`valid until ${end}`);
    await expect(at(Date.parse(end))).rejects.toThrow('cannot be reached');
    const { code, stderr } = await platform.gatehouse.call(['config', 'refresh']);
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be reached');
    expect((await platform.gatehouse.call(['config', 'show'])).code).toBe(0);
  });
});

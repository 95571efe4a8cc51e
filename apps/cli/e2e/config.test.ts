import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { signEnvelope } from '@gatehouse/signed-config/sign';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { managerEnvironment } from '../src/config/config.ts';
import { showConfig } from '../src/services/config.ts';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';
import { Relay } from './relay.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
let relay: Relay;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  relay = await Relay.to(platform.urls.enterprise_manager);
});
afterEach(() => {
  relay.change = (_, answer) => answer;
});
afterAll(async () => {
  relay.close();
  await platform.stop();
});

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
const envelopeOf = async (user: string, audience = 'gatehouse-cli'): Promise<string> => {
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
    const old = await envelopeOf('bob');
    await set({ ...DOCUMENT, config: { playground: { enforcement: 'default', value: false } } });
    expect((await through('bob', 'config', 'refresh')).code).toBe(0);
    relay.change = (path, answer) => (isEnvelope(path) ? { status: 200, body: old } : answer);
    expect(await refusal('bob')).toContain('(rolled_back)');
    // The accepted configuration stays.
    expect(JSON.parse((await through('bob', 'config', 'show', '--json')).stdout)).toMatchObject({ source: 'kept' });
  });

  it('of another user', async () => {
    const foreign = await envelopeOf('carol');
    relay.change = (path, answer) => (isEnvelope(path) ? { status: 200, body: foreign } : answer);
    expect(await refusal('alice')).toContain('(wrong_subject)');
  });

  it('for another type of client', async () => {
    const other = await envelopeOf('alice', 'gatehouse-desktop');
    relay.change = (path, answer) => (isEnvelope(path) ? { status: 200, body: other } : answer);
    expect(await refusal('alice')).toContain('(wrong_audience)');
  });

  it('that was changed during the transfer', async () => {
    relay.change = (path, answer) =>
      isEnvelope(path) ? { ...answer, body: answer.body.replace('"value":false', '"value":true') } : answer;
    expect(await refusal('carol')).toMatch(/\((bad_signature|etag_mismatch)\)/);
  });

  it('signed by a key that is not in the key set', async () => {
    relay.change = (path, answer) => (path.endsWith('jwks.json') ? { status: 200, body: '{"keys":[]}' } : answer);
    expect(await refusal('carol')).toContain('(unknown_key)');
  });

  it.each(['', '{}', 'null', '<html>', '[]'])('that is invalid: %j', async (body) => {
    relay.change = (path, answer) => (isEnvelope(path) ? { status: 200, body } : answer);
    expect(await refusal('carol')).toContain('is invalid');
  });

  it('from a changed file', async () => {
    expect((await through('auditor', 'config', 'refresh')).code).toBe(0);
    const folder = join(platform.gatehouse.home, 'configurations');
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      writeFileSync(path, readFileSync(path, 'utf8').replace('\\"value\\":false', '\\"value\\":true'));
    }
    relay.change = (path, answer) => (isEnvelope(path) ? { status: 503, body: '{"error":"not now"}' } : answer);
    const { code, stdout, stderr } = await through('auditor', 'config', 'show');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('not now');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{');
    relay.change = (_, answer) => answer;
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
    relay.change = (path, answer) => {
      if (isEnvelope(path)) return { status: 200, body: JSON.stringify(envelope) };
      return path.endsWith('jwks.json') ? { status: 200, body: keySet } : answer;
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

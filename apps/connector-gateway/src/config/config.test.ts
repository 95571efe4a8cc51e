import { describe, expect, it } from '@jest/globals';
import { renderSettings } from '@gatehouse/service-kit/config';
import { readFileSync } from 'node:fs';
import { loadSettings, settingsSchema } from './config.ts';

const required = {
  AUDIENCE: 'gatehouse',
  CURSOR_KEY: 'a key for tests, which is long enough',
  ISSUERS: '[{"id":"local","issuer":"http://127.0.0.1:8090"}]',
  GATEWAY_ID: 'local',
  ENTERPRISE_MANAGER_URL: 'http://127.0.0.1:8080',
  TOKEN_URL: 'http://127.0.0.1:8090/token',
  CLIENT_ID: 'connector-gateway',
  CLIENT_SECRET: 'secret',
};

describe('settingsSchema', () => {
  it('matches the table in docs/settings/connector-gateway.md', () => {
    const readme = readFileSync(new URL('../../../../docs/settings/connector-gateway.md', import.meta.url), 'utf8');
    const [, shown] = /<!-- settings -->\n\n([^]*?)\n\n?<!-- \/settings -->/.exec(readme) ?? [];
    const cells = (table: string) =>
      table
        .trim()
        .split('\n')
        .map((row) => row.split('|').map((cell) => cell.trim()));
    expect(cells(shown ?? '').slice(2)).toEqual(cells(renderSettings(settingsSchema)).slice(2));
  });

  it('requires a key for requests between replicas', () => {
    const replica = { ...required, REPLICA_URL: 'http://10.0.0.1:8101' };
    expect(() => loadSettings(replica)).toThrow('REPLICA_KEY');
    expect(loadSettings({ ...replica, REPLICA_KEY: 'r'.repeat(32) })).toMatchObject({ REPLICA_PORT: 8101 });
  });

  it('has safe defaults', () => {
    expect(loadSettings(required)).toMatchObject({
      PORT: 8081,
      CONTROL_PORT: 8091,
      ALLOW_LOOPBACK_UPSTREAMS: false,
      ALLOWED_HOSTS: [],
      ALLOWED_ORIGINS: [],
      FEED_LEASE_SECONDS: 60,
      DIRECTORY_GRACE_SECONDS: 300,
      KUBERNETES_SECRETS_NAMESPACES: [],
    });
  });

  it.each([
    ['ENTERPRISE_MANAGER_URL', 'not-a-url'],
    ['ALLOWED_HOSTS', 'localhost'],
    ['TOKEN_PARAMETERS', '["a"]'],
    ['DIRECTORY_GRACE_SECONDS', '-1'],
    ['FEED_LEASE_SECONDS', '2'],
    ['KUBERNETES_SECRETS_NAMESPACES', 'tools'],
    ['KUBERNETES_SECRETS_NAMESPACES', '["*"]'],
    ['KUBERNETES_SECRETS_URL', 'kubernetes'],
    ['DATABASE_URL', 'mysql://localhost/db'],
    ['GATEWAY_ID', ''],
    ['BACKENDS_FILE', 'backends.yaml'],
    ['BACKENDS', 'backends: []'],
    ['MODE', 'remote'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => loadSettings({ ...required, [name]: value })).toThrow(name);
  });
});

it('reports the missing settings of a mode beside all other problems', () => {
  expect(() => loadSettings({ PORT: 'x' })).toThrow(/PORT: [^]*AUDIENCE: [^]*GATEWAY_ID: [^]*CLIENT_SECRET: /);
});

describe('the mode local', () => {
  const { AUDIENCE, CURSOR_KEY, ISSUERS, ...directoryOnly } = required;
  const local = { AUDIENCE, CURSOR_KEY, ISSUERS, MODE: 'local', BACKENDS_FILE: 'backends.yaml' };

  it('needs no setting of the enterprise manager', () => {
    expect(loadSettings(local)).toMatchObject({
      MODE: 'local',
      BACKENDS_FILE: 'backends.yaml',
      GROUPS_CLAIM: 'groups',
    });
  });

  it.each(Object.entries({ ...directoryOnly, CONNECTORS_RETIRED: 'true' }))('refuses %s', (name, value) => {
    expect(() => loadSettings({ ...local, [name]: value })).toThrow(`${name}: does not belong to the mode local`);
  });

  it('needs either a file or the text of backends, and issuers', () => {
    const { BACKENDS_FILE, ...without } = local;
    expect(() => loadSettings(without)).toThrow('BACKENDS_FILE: is required in the mode local');
    expect(() => loadSettings({ ...local, BACKENDS: 'backends: []' })).toThrow('set either BACKENDS_FILE or BACKENDS');
    expect(() => loadSettings({ ...without, BACKENDS: BACKENDS_FILE, ISSUERS: '' })).toThrow('ISSUERS: is required');
  });

  it('is not assumed without MODE', () => {
    const { MODE, ...without } = local;
    expect(MODE).toBe('local');
    expect(() => loadSettings(without)).toThrow('BACKENDS_FILE: does not belong to the mode directory');
  });
});

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
  it('matches the table in the README', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [, shown] = /<!-- settings -->\n\n([^]*?)\n\n?<!-- \/settings -->/.exec(readme) ?? [];
    const cells = (table: string) =>
      table
        .trim()
        .split('\n')
        .map((row) => row.split('|').map((cell) => cell.trim()));
    expect(cells(shown ?? '').slice(2)).toEqual(cells(renderSettings(settingsSchema)).slice(2));
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
  ])('refuses %s=%s', (name, value) => {
    expect(() => loadSettings({ ...required, [name]: value })).toThrow(name);
  });
});

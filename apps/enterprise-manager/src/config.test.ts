import { describe, expect, it } from '@jest/globals';
import { renderSettings } from '@gatehouse/service-kit/config';
import { readFileSync } from 'node:fs';
import { loadSettings, publicUrl, settingsSchema } from './config.ts';

const least = {
  AUDIENCE: 'gatehouse',
  CURSOR_KEY: 'a cursor key for tests, long enough',
  ISSUERS: '[{"id":"local","issuer":"http://127.0.0.1:8090"}]',
};

describe('the settings of the enterprise manager', () => {
  it('are in the README as they are in the code', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [, shown] = /<!-- settings -->\n\n([^]*?)\n\n?<!-- \/settings -->/.exec(readme) ?? [];
    const cells = (table: string) =>
      table
        .trim()
        .split('\n')
        .map((row) => row.split('|').map((cell) => cell.trim()));
    expect(cells(shown ?? '').slice(2)).toEqual(cells(renderSettings(settingsSchema)).slice(2));
  });

  it('need little more than an issuer', () => {
    const settings = loadSettings(least);
    expect(settings).toMatchObject({ PORT: 8080, GATEWAYS: [], ALLOW_LOOPBACK_UPSTREAMS: false });
    expect(publicUrl(settings)).toBe('http://127.0.0.1:8080');
    expect(publicUrl(loadSettings({ ...least, HOST: '::1', PORT: '81' }))).toBe('http://[::1]:81');
    expect(publicUrl(loadSettings({ ...least, PUBLIC_URL: 'https://manager.test/' }))).toBe('https://manager.test');
  });

  it.each([
    ['KUBERNETES_SECRETS_NAMESPACES', '["*"]', 'namespace'],
    ['KUBERNETES_SECRETS_NAMESPACES', '["kube_system"]', 'namespace'],
    ['GATEWAYS', '[{"id":"a","display_name":"A"},{"id":"a","display_name":"B"}]', 'twice'],
    ['SEED_USERS', '[{"issuer":"http://i.test","subject":"a"}]', 'user_name'],
    ['SEED_USERS', '[{"issuer":"http://i.test","subject":"a","user_name":"a\\u0000","display_name":"A"}]', 'one line'],
    ['DATABASE_URL', 'mysql://localhost/db', 'DATABASE_URL'],
    ['CONFIG_LIFETIME_SECONDS', '1d', 'CONFIG_LIFETIME_SECONDS'],
    ['CONFIG_LIFETIME_SECONDS', '599', 'CONFIG_LIFETIME_SECONDS'],
    ['CONFIG_REFRESH_SECONDS', '21601', 'CONFIG_REFRESH_SECONDS'],
  ])('refuse %s=%s', (name, value, reason) => {
    expect(() => loadSettings({ ...least, [name]: value })).toThrow(reason);
  });
});

import { describe, expect, it } from '@jest/globals';
import { renderSettings } from '@gatehouse/service-kit/config';
import { readFileSync } from 'node:fs';
import { loadSettings, publicUrl, settingsSchema } from './config.ts';

const required = {
  AUDIENCE: 'gatehouse',
  CURSOR_KEY: 'a cursor key for tests, long enough',
  ISSUERS: '[{"id":"local","issuer":"http://127.0.0.1:8090"}]',
};

/** GATEWAYS with a valid entry for each of the changes; `undefined` removes a field. */
const gateways = (...changes: object[]) => {
  const client_ids = [{ issuer: 'http://127.0.0.1:8090', client_id: 'gateway' }];
  return JSON.stringify(
    changes.map((change) => ({ id: 'a', display_name: 'A', kind: 'connector', client_ids, ...change })),
  );
};

/** ADDITIONAL_PRICES with one model and these rates. */
const prices = (openai: object | undefined) => JSON.stringify([{ provider: 'openai', model: 'own', openai }]);

describe('the settings of the enterprise manager', () => {
  it('match the table in docs/settings/enterprise-manager.md', () => {
    const readme = readFileSync(new URL('../../../../docs/settings/enterprise-manager.md', import.meta.url), 'utf8');
    const [, shown] = /<!-- settings -->\n\n([^]*?)\n\n?<!-- \/settings -->/.exec(readme) ?? [];
    const cells = (table: string) =>
      table
        .trim()
        .split('\n')
        .map((row) => row.split('|').map((cell) => cell.trim()));
    expect(cells(shown ?? '').slice(2)).toEqual(cells(renderSettings(settingsSchema)).slice(2));
  });

  it('have defaults for all variables that are not required', () => {
    const settings = loadSettings(required);
    expect(settings).toMatchObject({ PORT: 8080, GATEWAYS: [], ALLOW_LOOPBACK_UPSTREAMS: false });
    expect(publicUrl(settings)).toBe('http://127.0.0.1:8080');
    expect(publicUrl(loadSettings({ ...required, HOST: '::1', PORT: '81' }))).toBe('http://[::1]:81');
    expect(publicUrl(loadSettings({ ...required, PUBLIC_URL: 'https://manager.test/' }))).toBe('https://manager.test');
  });

  it('accept gateways of every kind that share a client', () => {
    const { GATEWAYS } = loadSettings({
      ...required,
      GATEWAYS: gateways(
        {},
        { id: 'b', kind: 'ai', secrets: ['0197a3c2-2b9c-71d5-aff2-f15eb4bb768a'], retired: true },
        { id: 'c', kind: 'management' },
      ),
    });
    expect(GATEWAYS.map(({ kind }) => kind)).toEqual(['connector', 'ai', 'management']);
  });

  it.each([
    ['KUBERNETES_SECRETS_NAMESPACES', '["*"]', 'namespace'],
    ['KUBERNETES_SECRETS_NAMESPACES', '["kube_system"]', 'namespace'],
    ['GATEWAYS', gateways({}, {}), 'twice'],
    ['GATEWAYS', gateways({ kind: undefined }), '[0].kind: is required and must be "connector"'],
    ['GATEWAYS', gateways({ kind: 'models' }), '[0].kind: must be "connector", "ai" or "management"'],
    ['GATEWAYS', gateways({ client_ids: undefined }), '[0].client_ids: is required'],
    ['GATEWAYS', gateways({ client_ids: [] }), 'at least one client'],
    [
      'GATEWAYS',
      gateways({ client_ids: [{ issuer: 'http://other.test', client_id: 'c' }] }),
      'must be an issuer of ISSUERS',
    ],
    ['GATEWAYS', gateways({ secrets: [] }), 'kind "ai"'],
    ['ADDITIONAL_PRICES', prices({ inputUsdPerMillion: '1' }), '[0].openai.outputUsdPerMillion is required'],
    ['ADDITIONAL_PRICES', prices({ inputUsdPerMillion: '1', outputUsdPerMillion: '-2' }), 'outputUsdPerMillion'],
    ['ADDITIONAL_PRICES', prices(undefined), 'exactly one of these rate blocks is required'],
    ['GATEWAYS', gateways({ retired: false }), 'retired'],
    ['SEED_USERS', '[{"issuer":"http://i.test","subject":"a"}]', 'user_name'],
    ['SEED_USERS', '[{"issuer":"http://i.test","subject":"a","user_name":"a\\u0000","display_name":"A"}]', 'one line'],
    ['DATABASE_URL', 'mysql://localhost/db', 'DATABASE_URL'],
    ['CONFIG_LIFETIME_SECONDS', '1d', 'CONFIG_LIFETIME_SECONDS'],
    ['CONFIG_LIFETIME_SECONDS', '599', 'CONFIG_LIFETIME_SECONDS'],
    ['CONFIG_REFRESH_SECONDS', '21601', 'CONFIG_REFRESH_SECONDS'],
  ])('refuse %s=%s', (name, value, reason) => {
    expect(() => loadSettings({ ...required, [name]: value })).toThrow(reason);
  });
});

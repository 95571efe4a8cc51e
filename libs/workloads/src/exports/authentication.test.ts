import { describe, expect, it } from '@jest/globals';
import { replaceClientSecrets } from '../configuration/client-secrets.ts';
import { writeRunConfig } from '../configuration/run-config.ts';
import { EXPORTED_IMAGE } from '../configuration/exported-configs.fixture.ts';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { exportConfig } from './export-config.ts';
import { importConfig } from './import-config.ts';

const OIDC = {
  Issuer: 'https://id.example.com',
  Audience: 'mcp',
  JWKSURL: '',
  ClientID: 'c',
  ClientSecret: 'canary',
  CACertPath: '',
  AuthTokenFile: '',
  AllowPrivateIP: false,
  IntrospectionURL: 'https://id.example.com/introspect',
  Scopes: ['openid', 'mcp'],
  CacheTTL: 5,
};
const EXCHANGE = {
  token_url: 'https://id.example.com/token',
  client_id: 'c',
  client_secret: 'canary',
  audience: 'api',
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  header_strategy: 'replace',
};
const MIDDLEWARE = [
  { type: 'bodylimit', parameters: {} },
  { type: 'auth', parameters: { oidc_config: OIDC } },
  { type: 'tokenexchange', parameters: { token_exchange_config: EXCHANGE } },
];

const read = (fields: object) =>
  importConfig(JSON.stringify({ ...EXPORTED_IMAGE, ...fields }), {
    ...{ path: 'file.json', name: undefined, group: undefined, debug: false, folder: '/' },
    addBuildDefaults: (_, flags) => flags,
  }).config;

const references = {
  oidc: SecretReference.parse('one,target=oidc'),
  token_exchange: SecretReference.parse('two,target=token_exchange'),
};

describe('an imported configuration with authentication', () => {
  it.each([
    ['sections', { oidc_config: OIDC, token_exchange_config: EXCHANGE, middleware_configs: [] }],
    ['middleware', { middleware_configs: MIDDLEWARE }],
    ['both', { oidc_config: OIDC, token_exchange_config: EXCHANGE, middleware_configs: MIDDLEWARE }],
  ])('is read from %s, and is written with references only', (_, fields) => {
    const config = read(fields);
    expect(() => writeRunConfig(config)).toThrow(/oidc_config.ClientSecret is no reference/);
    const { document } = exportConfig(replaceClientSecrets(config, references));
    expect(document).not.toContain('canary');
    expect(JSON.parse(document)).toMatchObject({
      oidc_config: { ...OIDC, ClientSecret: 'one,target=oidc' },
      token_exchange_config: { ...EXCHANGE, client_secret: 'two,target=token_exchange' },
    });
    const again = exportConfig(read({ middleware_configs: undefined, ...(JSON.parse(document) as object) })).document;
    expect(JSON.parse(again)).toEqual(JSON.parse(document));
  });

  it.each([
    ['oidc_config.Issuer', { oidc_config: { Issuer: 'id' } }],
    ['oidc_config.Scopes', { oidc_config: { ...OIDC, Scopes: ['a b'] } }],
    ['oidc_config.JWKSURL', { oidc_config: { ...OIDC, JWKSURL: 'https://127.0.0.1/keys' } }],
    ['token_exchange_config.token_url', { token_exchange_config: EXCHANGE }],
    [
      'token_exchange_config.subject_token_type',
      { oidc_config: OIDC, token_exchange_config: { ...EXCHANGE, subject_token_type: 'x' } },
    ],
  ])('is refused with the name of the field %s', (field, fields) => {
    expect(() => read(fields)).toThrow(new RegExp(`^--from-config file.json cannot be used: ${field} `));
  });
});

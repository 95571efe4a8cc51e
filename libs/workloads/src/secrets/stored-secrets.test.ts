import { describe, expect, it } from '@jest/globals';
import { type RunConfig, readRunConfig } from '../configuration/run-config.ts';
import { listStoredSecrets, listUnusedSecrets } from './stored-secrets.ts';

const create = (name: string, fields: object = {}): RunConfig => readRunConfig(JSON.stringify({ name, ...fields }));
const withClient = (name: string, secret: string) =>
  create(name, { oidc_config: { issuer: 'https://issuer.example.com', ClientSecret: `${secret},target=oidc` } });

describe('listStoredSecrets', () => {
  it.each([
    ['OIDC_CLIENT_SECRET_files', ['OIDC_CLIENT_SECRET_files']],
    ['OIDC_CLIENT_SECRET_files_2', ['OIDC_CLIENT_SECRET_files_2']],
    ['OIDC_CLIENT_SECRET_files_mine', []],
    ['OIDC_CLIENT_SECRET_other', []],
    ['TOKEN_EXCHANGE_CLIENT_SECRET_files', []],
    ['MINE', []],
  ])('tells whether a start of files has stored %s', (secret, expected) => {
    expect(listStoredSecrets([withClient('files', secret)])).toEqual(expected);
  });

  it('lists the credentials for a remote server and the values of headers', () => {
    const remote_auth_config = { bearer_token: 'BEARER_TOKEN_files,target=remote_bearer' };
    const header_forward = { add_headers_from_secret: { 'X-Key': 'HEADER_X-Key_files_3', 'X-Mine': 'MINE' } };
    expect(listStoredSecrets([create('files', { remote_auth_config, header_forward })])).toEqual([
      'BEARER_TOKEN_files',
      'HEADER_X-Key_files_3',
    ]);
  });

  it('ignores configurations that cannot be read, and secrets in clear', () => {
    const clear = create('files', { oidc_config: { issuer: 'https://issuer.example.com', ClientSecret: 'clear' } });
    expect(listStoredSecrets([undefined, clear])).toEqual([]);
  });
});

describe('listUnusedSecrets', () => {
  const secrets = ['OIDC_CLIENT_SECRET_files', 'OIDC_CLIENT_SECRET_files'];

  it('returns each secret once that no workload refers to', () => {
    expect(listUnusedSecrets(secrets, [withClient('other', 'MINE')])).toEqual(['OIDC_CLIENT_SECRET_files']);
  });

  it.each([
    ['a client of another proxy', withClient('other', 'OIDC_CLIENT_SECRET_files')],
    ['the server of another workload', create('other', { secrets: ['OIDC_CLIENT_SECRET_files,target=TOKEN'] })],
    ['perhaps a workload whose configuration cannot be read', undefined],
  ])('keeps a secret of %s', (_, config) => {
    expect(listUnusedSecrets(secrets, [config])).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFurtherIssuers } from './further-issuers.ts';

const LOCAL = { id: 'local', issuer: 'http://127.0.0.1:8090', jwks_uri: 'http://127.0.0.1:8090/jwks' };

describe('issuers.yaml', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-issuers-'));
    file = join(folder, 'issuers.yaml');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (text: string) => {
    writeFileSync(file, text);
    return readFurtherIssuers(file, LOCAL);
  };

  it('may be missing', async () => {
    expect(await readFurtherIssuers(join(folder, 'none.yaml'), LOCAL)).toEqual([]);
    expect(await readFurtherIssuers(join(file, 'below.yaml'), LOCAL)).toEqual([]);
  });

  it('adds issuers in the form of ISSUERS', async () => {
    const text = `
- id: keycloak
  issuer: https://id.example.test/realms/main
  binding: { claim: preferred_username, attribute: userName }
  roles:
    claim: [realm_access, roles]
    values: { admin: [gatehouse-admin] }
`;
    expect(await read(text)).toEqual([
      {
        id: 'keycloak',
        issuer: 'https://id.example.test/realms/main',
        binding: { claim: 'preferred_username', attribute: 'userName' },
        roles: { claim: ['realm_access', 'roles'], values: { admin: ['gatehouse-admin'] } },
      },
    ]);
  });

  it.each([
    ['- id: x\n', /entry 1\.issuer: is required/],
    ['- {id: a, issuer: https://a.test}\n- {id: b, issuer: 7}\n', /entry 2\.issuer: must be/],
    ['- {id: local, issuer: https://a.test}\n', /entry 1\.id: must differ from the id of earlier entries/],
    ['- {id: a, issuer: "http://127.0.0.1:8090"}\n', /entry 1\.issuer: must differ from the issuer of earlier entries/],
    ['- {id: a, issuer: https://a.test, client_secret: planted-7f3a}\n', /client_secret.*is not a known field/],
    ['issuers: []\n', /must be a list/],
    ['', /must be a list/],
    ['- [\n', /cannot be used/],
    ['- &a {id: a}\n- *a\n', /cannot be used|alias/i],
  ])('names the file and the field of %j, and no value', async (text, sentence) => {
    const error = await read(text).catch((reason: unknown) => reason as Error);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(sentence);
    expect((error as Error).message).toContain(file);
    expect((error as Error).message).not.toContain('planted-7f3a');
  });
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homePaths, prepareHome } from './home.ts';
import type { IdentityProviderState } from './identity-provider/config.ts';
import { SERVICE_CLIENTS } from './people.ts';
import { secretFiles } from './secret-files.ts';
import { prepareSecrets } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the service clients of a home', () => {
  it('are added to an older home that lacks them; existing clients stay', () => {
    const paths = homePaths(join(folder, 'home'));
    prepareHome(paths);
    const stateFile = join(paths.identityProvider, 'state.json');
    const state = () => JSON.parse(readFileSync(stateFile, 'utf8')) as IdentityProviderState;
    prepareSecrets(paths, 'http://127.0.0.1:8090');
    const before = state();
    expect(before.clients.map(({ client_id }) => client_id)).toEqual(SERVICE_CLIENTS);
    const older = { ...before, clients: before.clients.slice(0, 2) };
    writeFileSync(stateFile, JSON.stringify(older));
    prepareSecrets(paths, 'http://127.0.0.1:8090');
    const after = state();
    expect(after.clients.map(({ client_id }) => client_id)).toEqual(SERVICE_CLIENTS);
    expect(after.clients.slice(0, 2)).toEqual(older.clients);
    expect({ ...after, clients: [] }).toEqual({ ...before, clients: [] });
    prepareSecrets(paths, 'http://127.0.0.1:8090');
    expect(state()).toEqual(after);
    expect(secretFiles(paths).clientSecret('ai-gateway-mgmt')).toContain('ai-gateway-mgmt');
  });
});

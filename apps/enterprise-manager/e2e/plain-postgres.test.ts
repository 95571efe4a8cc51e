import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEverySuccess, type RunningService } from '@gatehouse/testing/contract-runner';
import { available, describeWhen, unavailable } from '@gatehouse/testing/fixture';
import { type PlainPostgres, plainPostgresPrograms, startPlainPostgres } from '@gatehouse/testing/plain-postgres';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { createSamples } from './samples.ts';

const programs = plainPostgresPrograms();
const fixture =
  programs === undefined
    ? unavailable('no Postgres of the distribution is installed: install the Debian package postgresql')
    : available(programs);

/**
 * All other suites run on the embedded server, which is newer than the server of most
 * distributions and has other build options.
 */
describeWhen(fixture, 'the enterprise manager with the Postgres of the distribution', (programs) => {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-plain-'));
  let server: PlainPostgres;
  let manager: TestManager;
  let service: RunningService;

  beforeAll(async () => {
    chmodSync(home, 0o755);
    server = await startPlainPostgres(programs, join(home, 'postgres'), { fsync: 'off' });
    process.env['GATEHOUSE_TEST_POSTGRES'] = server.adminUrl;
    manager = await startManager({ discoverable: true });
    const { tokens, client } = manager;
    const foreignToken = await manager.issuer.token({ subject: 'admin', roles: ['admin'], audience: 'elsewhere' });
    service = { client, tokens: { ...tokens, user: tokens.alice }, foreignToken };
  }, 60_000);
  afterAll(async () => {
    await manager.close();
    delete process.env['GATEHOUSE_TEST_POSTGRES'];
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('starts with a server that has JIT compilation on', async () => {
    expect(await manager.sql('SHOW jit')).toEqual([{ jit: 'on' }]);
  });

  describe('every operation', () => {
    describeEverySuccess(
      'enterprise-manager',
      () => service,
      createSamples(() => manager),
      ['GET /.well-known/oauth-protected-resource/{path}'],
    );
  });
});

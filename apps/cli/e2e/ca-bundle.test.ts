import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CertificateAuthority, createCertificateAuthority } from '@gatehouse/testing/certificate-authority';
import { Gatehouse } from './gatehouse.ts';

const SERVER = {
  ...{ name: 'com.example/private', description: 'A server', version: '1.0.0' },
  packages: [{ registryType: 'oci', identifier: 'example.com/private:1', transport: { type: 'stdio' } }],
};
const DOCUMENT = { version: '1', meta: { last_updated: '2026-01-01T00:00:00Z' }, data: { servers: [SERVER] } };

describe('the certificates of authorities for calls to registries', () => {
  let authority: CertificateAuthority;
  let server: Server;
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    authority = createCertificateAuthority();
    const { certificate, key } = authority.issue('127.0.0.1', 'server');
    server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (_request, response) =>
      response.end(JSON.stringify(DOCUMENT)),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    authority.remove();
  });
  beforeEach(() => {
    gatehouse = new Gatehouse();
  });
  afterEach(() => gatehouse.close());
  const getUrl = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}/registry.json`;

  it('are those of the setting ca_bundle for the commands of the registry', async () => {
    const set = ['registry', 'set', getUrl(), '--allow-private-ip'];
    expect(await gatehouse.call(set)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not trusted over TLS'),
    });
    await gatehouse.ok('settings', 'set', 'ca_bundle', authority.certificate);
    await gatehouse.ok(...set);
    expect(await gatehouse.ok('registry', 'list')).toContain('com.example/private');
  }, 30_000);

  it('are those of --gatehouse-ca-bundle for a run', async () => {
    const registry = { kind: 'url', url: getUrl(), allow_private_ip: true };
    writeFileSync(join(gatehouse.home, 'settings.json'), JSON.stringify({ registry }));
    const run = (...words: string[]) =>
      gatehouse.call(['run', 'com.example/private', ...words], { DOCKER_HOST: 'unix:///nowhere.sock' });
    expect((await run()).stderr).toContain('not trusted over TLS');
    const trusted = await run('--gatehouse-ca-bundle', authority.certificate);
    expect(trusted).toMatchObject({ code: 3, stderr: expect.stringContaining('is example.com/private:1') });
    const wrong = await run('--gatehouse-ca-bundle', '/etc/hostname');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('contains no certificate in PEM form') });
  }, 30_000);
});

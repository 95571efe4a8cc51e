import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type CertificateAuthority, createCertificateAuthority } from '@gatehouse/testing/certificate-authority';
import { describeWhen } from '@gatehouse/testing/fixture';
import { buildSmallServer, smallServerEngine } from '@gatehouse/testing/small-server';
import { Gatehouse, listTools } from './gatehouse.ts';

/** Stands in for ssh: it notes its arguments, and connects its streams to the engine. */
const SSH = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const [target, log] = [process.env.TEST_ENGINE_SOCKET, process.env.TEST_SSH_LOG];
appendFileSync(log, process.argv.slice(2).join(' ') + '\\n');
if (process.argv.includes('closed.example.com')) {
  console.error('closed.example.com: Permission denied (publickey).');
  process.exit(255);
}
const engine = require('node:net').connect({ path: target, allowHalfOpen: true });
process.stdin.pipe(engine);
engine.pipe(process.stdout);
engine.on('close', () => process.exit(0));
`;

describeWhen(await smallServerEngine(), 'the address of an engine', (engine) => {
  let gatehouse: Gatehouse;
  let image: string;
  let folder: string;
  let authority: CertificateAuthority;
  let server: Server;

  beforeAll(async () => {
    image = await buildSmallServer(engine);
    authority = createCertificateAuthority();
    const { certificate, key } = authority.issue('127.0.0.1', 'server');
    server = createServer(
      {
        cert: readFileSync(certificate),
        key: readFileSync(key),
        ca: readFileSync(authority.certificate),
        requestCert: true,
        allowHalfOpen: true,
      },
      (client) => {
        const target = connect({ path: engine.socket, allowHalfOpen: true });
        client.pipe(target).on('error', () => client.destroy());
        target.pipe(client).on('error', () => target.destroy());
      },
    );
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }, 120_000);
  afterAll(() => {
    server.close();
    authority.remove();
  });
  beforeEach(() => {
    gatehouse = new Gatehouse();
    folder = mkdtempSync(join(tmpdir(), 'engines-'));
  });
  afterEach(async () => {
    await gatehouse.close();
    rmSync(folder, { recursive: true });
  }, 60_000);

  /** Runs a server, and the commands about it without the setting of the engine. */
  const useWorkload = async (env: NodeJS.ProcessEnv) => {
    const { shown } = await gatehouse.run([image, '--name', 'far'], env);
    expect(await listTools(shown.url)).toEqual(['greet']);
    const elsewhere = { ...env, DOCKER_HOST: 'unix:///nowhere.sock' };
    const listed = await gatehouse.call(['list', '--json'], elsewhere);
    expect(JSON.parse(listed.stdout)).toEqual([expect.objectContaining({ name: 'far', status: 'running' })]);
    expect((await gatehouse.call(['stop', 'far'], elsewhere)).code).toBe(0);
    expect((await gatehouse.call(['rm', 'far'], elsewhere)).code).toBe(0);
  };
  const getTlsHost = () => `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const copyCertificates = (target: string, ca = authority.certificate) => {
    mkdirSync(target, { recursive: true });
    const { certificate, key } = authority.issue('client', 'client');
    copyFileSync(ca, join(target, 'ca.pem'));
    copyFileSync(certificate, join(target, 'cert.pem'));
    copyFileSync(key, join(target, 'key.pem'));
  };

  it('can need TLS with the certificates of DOCKER_CERT_PATH', async () => {
    copyCertificates(folder);
    const env = { DOCKER_HOST: getTlsHost(), DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: folder };
    await useWorkload(env);
    const plain = await gatehouse.call(['run', image, '--name', 'far'], { ...env, DOCKER_TLS_VERIFY: '' });
    expect(plain).toMatchObject({ code: 3, stderr: expect.stringContaining('No container engine answers') });
    const other = createCertificateAuthority();
    copyFileSync(other.certificate, join(folder, 'ca.pem'));
    other.remove();
    const foreign = await gatehouse.call(['run', image, '--name', 'far'], env);
    expect(foreign).toMatchObject({ code: 3, stderr: expect.stringMatching(/certificate|self-signed/) });
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 90_000);

  it('can be a docker context with its own certificates', async () => {
    const id = createHash('sha256').update('far').digest('hex');
    const meta = join(folder, 'contexts', 'meta', id);
    mkdirSync(meta, { recursive: true });
    const document = { Name: 'far', Endpoints: { docker: { Host: getTlsHost(), SkipTLSVerify: false } } };
    writeFileSync(join(meta, 'meta.json'), JSON.stringify(document));
    copyCertificates(join(folder, 'contexts', 'tls', id, 'docker'));
    writeFileSync(join(folder, 'config.json'), '{"currentContext":"far"}');
    const { code, stderr } = await gatehouse.call(['run', image, '--name', 'far'], { DOCKER_CONFIG: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    const stored = JSON.parse(readFileSync(join(gatehouse.home, 'workloads', 'far', 'run.json'), 'utf8')) as {
      engine: string;
    };
    expect(stored.engine).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+\?tls=/);
  }, 60_000);

  it('can be a machine behind ssh', async () => {
    writeFileSync(join(folder, 'ssh'), SSH);
    chmodSync(join(folder, 'ssh'), 0o755);
    const log = join(folder, 'log');
    const env = {
      PATH: `${folder}:${process.env['PATH']}`,
      TEST_ENGINE_SOCKET: engine.socket,
      TEST_SSH_LOG: log,
      DOCKER_HOST: 'ssh://me@far.example.com:2222',
    };
    await useWorkload(env);
    for (const line of new Set(readFileSync(log, 'utf8').trim().split('\n')))
      expect(line).toMatch(/^-o BatchMode=yes .*-l me -p 2222 -- far\.example\.com docker system dial-stdio$/);
    const refused = await gatehouse.call(['run', image], { ...env, DOCKER_HOST: 'ssh://closed.example.com' });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('Permission denied (publickey)') });
    const http = await gatehouse.call(['run', image, '--name', 'http', '--transport', 'streamable-http'], env);
    expect(http).toMatchObject({ code: 2, stderr: expect.stringContaining('--transport stdio') });
    const missing = await gatehouse.call(['run', image], { ...env, PATH: '/nowhere' });
    expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('ssh is not in PATH') });
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 90_000);
});

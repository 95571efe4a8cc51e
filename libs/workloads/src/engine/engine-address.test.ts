import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listEngineCandidates, formatEngineAddress, parseEngineAddress } from './engine-address.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function context(name: string, host: string, fields = {}): void {
  const id = createHash('sha256').update(name).digest('hex');
  const meta = join(folder, 'contexts', 'meta', id);
  mkdirSync(meta, { recursive: true });
  writeFileSync(
    join(meta, 'meta.json'),
    JSON.stringify({ Name: name, Endpoints: { docker: { Host: host, ...fields } } }),
  );
}
const found = (environment: Parameters<typeof listEngineCandidates>[0]) =>
  listEngineCandidates({ dockerConfig: folder, ...environment }).map(formatEngineAddress);

describe('listEngineCandidates', () => {
  it('prefers DOCKER_HOST to every context', () => {
    context('remote', 'tcp://other:2375');
    expect(found({ dockerHost: 'unix:///x.sock', dockerContext: 'remote' })).toEqual(['unix:///x.sock']);
  });

  it('prefers DOCKER_CONTEXT to the current context', () => {
    context('a', 'tcp://a:1');
    context('b', 'unix:///b.sock');
    writeFileSync(join(folder, 'config.json'), '{"currentContext":"a"}');
    expect(found({ dockerContext: 'b' })).toEqual(['unix:///b.sock']);
    expect(found({})).toEqual(['tcp://a:1']);
  });

  it('uses the well-known sockets with the default context', () => {
    writeFileSync(join(folder, 'config.json'), '{"currentContext":"default"}');
    writeFileSync(join(folder, 'docker.sock'), '');
    expect(found({ runtimeFolder: folder })).toContain(`unix://${join(folder, 'docker.sock')}`);
  });

  it('uses TLS and its port when DOCKER_TLS_VERIFY is set', () => {
    expect(found({ dockerHost: 'tcp://h', tlsFolder: '/certs' })).toEqual(['tcp://h:2376?tls=%2Fcerts']);
    expect(parseEngineAddress('tcp://h:2376?tls=%2Fcerts', 'x')).toMatchObject({ tlsFolder: '/certs', port: 2376 });
  });

  it.each([
    ['ssh://host', { host: 'host', user: undefined, port: undefined, socket: undefined }],
    ['ssh://me@host.example.com:2222', { host: 'host.example.com', user: 'me', port: 2222, socket: undefined }],
    ['ssh://me@[fd00::1]/run/user/1000/podman.sock', { host: 'fd00::1', socket: '/run/user/1000/podman.sock' }],
  ])('reads %s, and writes it again', (host, address) => {
    expect(listEngineCandidates({ dockerHost: host })).toEqual([expect.objectContaining({ kind: 'ssh', ...address })]);
    expect(found({ dockerHost: host })).toEqual([host]);
  });

  it('never makes a host, a user or a path an option of ssh', () => {
    for (const host of ['ssh://-oProxyCommand=x', 'ssh://-x@host', 'ssh://host/a;b', 'ssh://host/$(x)'])
      expect(() => found({ dockerHost: host })).toThrow(/DOCKER_HOST/);
    const refuse = () => found({ dockerHost: 'ssh://me:canary@host' });
    expect(refuse).toThrow(/has a password/);
    expect(refuse).not.toThrow(/canary/);
  });

  it('refuses a context that does not verify its engine, and https without certificates', () => {
    context('open', 'tcp://a:1', { SkipTLSVerify: true });
    expect(() => found({ dockerContext: 'open' })).toThrow(/does not verify/);
    expect(() => found({ dockerHost: 'https://a' })).toThrow(/certificates/);
  });

  it.each(['ssh://', 'unix://relative', 'tcp://', 'nonsense', 'file:///x'])('refuses %s', (host) => {
    expect(() => found({ dockerHost: host })).toThrow(/DOCKER_HOST/);
  });

  it('refuses a missing context', () => {
    expect(() => found({ dockerContext: 'missing' })).toThrow(/missing/);
  });
});

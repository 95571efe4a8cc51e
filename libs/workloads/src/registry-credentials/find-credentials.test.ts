import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { askCredentialHelper } from './credential-helper.ts';
import { createBuildHeaders, createPullHeaders } from './credential-headers.ts';
import { findCredentials } from './find-credentials.ts';

const SECRET = 'canary-91c3';
const abort = new AbortController().signal;
const encode = (text: string) => Buffer.from(text).toString('base64');

describe('the credentials of an image', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'credentials-'));
    env = { PATH: `${folder}:${process.env['PATH']}` };
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (content: unknown) =>
    writeFileSync(join(folder, 'config.json'), typeof content === 'string' ? content : JSON.stringify(content));
  const find = (image: string, isPodman = false, environment = {}) =>
    findCredentials(image, {
      environment: { dockerConfig: folder, processEnvironment: env, ...environment },
      isPodman,
      abort,
    });
  const addHelper = (name: string, script: string) => {
    const file = join(folder, `docker-credential-${name}`);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  };

  it.each([
    ['ghcr.io/owner/server:1', 'ghcr.io', 'ghcr.io'],
    ['ghcr.io/owner/server:1', 'https://ghcr.io', 'ghcr.io'],
    ['localhost:5000/server', 'http://localhost:5000/v2/', 'localhost:5000'],
    ['owner/server', 'https://index.docker.io/v1/', 'https://index.docker.io/v1/'],
    ['server', 'docker.io', 'https://index.docker.io/v1/'],
    ['docker.io/owner/server@sha256:' + 'a'.repeat(64), 'registry-1.docker.io', 'https://index.docker.io/v1/'],
    ['quay.io/owner/server', 'quay.io/owner', 'quay.io'],
  ])('of %s are found under the key %s', async (image, key, serveraddress) => {
    write({ auths: { 'other.example.com': { auth: encode('x:y') }, [key]: { auth: encode(`user:${SECRET}:more`) } } });
    expect(await find(image)).toEqual({ serveraddress, username: 'user', password: `${SECRET}:more` });
  });

  it.each(['other.io/owner/server', 'quay.io/others/server', 'quay.io.example.com/owner/server', 'owner/server'])(
    'of %s are not those of another registry or owner',
    async (image) => {
      write({ auths: { 'quay.io/owner': { auth: encode(`user:${SECRET}`) } } });
      expect(await find(image)).toBeUndefined();
    },
  );

  it('can be tokens', async () => {
    write({ auths: { 'a.io': { auth: encode('user:'), identitytoken: SECRET }, 'b.io': { registrytoken: SECRET } } });
    expect(await find('a.io/x')).toEqual({ serveraddress: 'a.io', identitytoken: SECRET });
    expect(await find('b.io/x')).toEqual({ serveraddress: 'b.io', registrytoken: SECRET });
  });

  it('come from the helper of the registry, else from the helper of all registries', async () => {
    addHelper('one', `read server; echo "{\\"Username\\":\\"$server\\",\\"Secret\\":\\"${SECRET}\\"}"`);
    addHelper('all', `cat >/dev/null; echo '{"Username":"<token>","Secret":"${SECRET}"}'`);
    write({ credHelpers: { 'one.io': 'one' }, credsStore: 'all', auths: { 'one.io': {} } });
    expect(await find('one.io/x')).toMatchObject({ username: 'one.io', password: SECRET });
    expect(await find('x')).toEqual({ serveraddress: 'https://index.docker.io/v1/', identitytoken: SECRET });
  });

  it('are missing when the helper has none', async () => {
    addHelper('all', 'echo credentials not found in native keychain; exit 1');
    write({ credsStore: 'all' });
    expect(await find('x')).toBeUndefined();
  });

  it.each([
    ['ends with an error', `echo 'the keyring is locked'; exit 3`, 'exit code 3: the keyring is locked'],
    ['shows a secret and fails', `echo '{"Username":"u","Secret":"${SECRET}"}'; exit 1`, 'exit code 1'],
    ['answers with something else', `echo ${SECRET}`, 'no Username and Secret'],
    ['is not a program', undefined, 'not installed'],
  ])('are an error that names a helper that %s', async (_, script, reason) => {
    if (script !== undefined) addHelper('all', script);
    write({ credsStore: 'all' });
    const error = (await find('x').catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain('docker-credential-all');
    expect(error.message).toContain(reason);
    expect(JSON.stringify([error.message, error.stack])).not.toContain(SECRET);
  });

  it('are an error when a helper does not answer, also when its children keep its output open', async () => {
    addHelper('slow', 'sleep 60 & sleep 60');
    const asked = askCredentialHelper({ name: 'slow', server: 'a.io', environment: env, abort, timeLimitMs: 200 });
    await expect(asked).rejects.toThrow(
      'docker-credential-slow gave no credentials of a.io: it did not answer in time',
    );
  });

  it.each(['../evil', 'a/b', '', 'x y'])('never start the helper %j', async (name) => {
    await expect(askCredentialHelper({ name, server: 'a.io', abort })).rejects.toThrow('is not a name of a program');
  });

  it.each(['{"auths": {"a.io": {"auth": "canary-91c3"', '{"auths": ["canary-91c3"]}', '{"credsStore": 5}', '[]'])(
    'are an error for the file %s that does not quote it',
    async (content) => {
      write(content);
      const error = (await find('a.io/x').catch((thrown: unknown) => thrown)) as Error;
      expect(error.message).toContain(join(folder, 'config.json'));
      expect(error.message).not.toContain(SECRET);
    },
  );

  it('come from the file of Podman when the engine is Podman', async () => {
    write({ auths: { 'a.io': { auth: encode('docker:x') } } });
    const file = join(folder, 'auth.json');
    writeFileSync(file, JSON.stringify({ auths: { 'a.io': { auth: encode('podman:x') } } }));
    expect(await find('a.io/x', true, { registryAuthFile: file })).toMatchObject({ username: 'podman' });
    expect(await find('a.io/x', false, { registryAuthFile: file })).toMatchObject({ username: 'docker' });
    expect(await find('a.io/x', true)).toMatchObject({ username: 'docker' });
  });

  it('are sent in base64url with padding', () => {
    const credentials = { serveraddress: 'a.io', username: 'ü?', password: '>>>' };
    const { 'x-registry-auth': header = '' } = createPullHeaders(credentials);
    expect(header).toMatch(/^[\w-]+=*$/);
    expect(header.length % 4).toBe(0);
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual(credentials);
    const { 'x-registry-config': all = '' } = createBuildHeaders(credentials);
    expect(JSON.parse(Buffer.from(all, 'base64url').toString())).toEqual({ 'a.io': credentials });
    expect(createPullHeaders(undefined)).toEqual({});
  });
});

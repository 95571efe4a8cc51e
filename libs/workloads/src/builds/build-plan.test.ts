import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isImageReference } from '../flags/image-reference.ts';
import { readRunConfig } from '../configuration/run-config.ts';
import { planConfiguredBuild } from './configured-build.ts';
import { planRequestedBuild } from './requested-build.ts';

const plan = (argument: string, flags = {}) => planRequestedBuild(argument, flags, '/');

describe('the image of a package', () => {
  it.each(['npx://@scope/Pkg@1.2.3', 'uvx://mcp-server-time', 'go://github.com/a/b'])(
    '%s has a valid name',
    async (text) => {
      expect(isImageReference((await plan(text)).image)).toBe(true);
    },
  );

  it('is found again for the same package and options', async () => {
    const flags = { runtimeImage: 'python:3.13', runtimeAddPackage: ['git', 'curl'], buildWith: ['pydantic<3'] };
    const one = await plan('uvx://server@1.0', flags);
    expect(await plan('uvx://server==1.0', { ...flags, runtimeAddPackage: ['curl', 'git', 'git'] })).toEqual({
      ...one,
      labels: one.labels,
    });
    const others = [
      plan('uvx://server@1.1', flags),
      plan('uvx://server@1.0', { ...flags, runtimeImage: 'python:3.14' }),
      plan('uvx://server@1.0', { ...flags, buildWith: [] }),
      plan('uvx://server@1.0', { ...flags, runtimeAddPackage: ['git'] }),
      plan('npx://server@1.0', { runtimeImage: 'python:3.13' }),
    ];
    const images = (await Promise.all(others)).map(({ image }) => image);
    expect(new Set([one.image, ...images]).size).toBe(6);
  });

  it('runs as a user without rights, and never by a shell that reads its name', async () => {
    for (const text of ['npx://pkg@1.0.0', 'uvx://pkg', 'go://github.com/a/b']) {
      const { dockerfile } = await plan(text);
      expect(dockerfile).toMatch(/\nUSER 10001:10001\nENTRYPOINT \["[^"]+"\]\n$/);
      for (const line of dockerfile.split('\n').filter((one) => one.startsWith('RUN')))
        expect(JSON.parse(line.slice(4))).toEqual(expect.arrayContaining([expect.any(String)]));
    }
  });

  it.each([
    ['npx://pkg', 2],
    ['uvx://pkg', 2],
    ['go://github.com/a/b', 1],
  ])('of %s has git before its own packages, in %d stages', async (text, stages) => {
    const { dockerfile } = await plan(text, { runtimeAddPackage: ['curl'] });
    const installed = [...dockerfile.matchAll(/"install","(\w+)"/g)].map(([, name]) => name);
    expect(installed).toEqual(stages === 2 ? ['git', 'curl', 'git', 'curl'] : ['git', 'curl', 'curl']);
  });

  it.each(['npx://pkg', 'uvx://pkg'])('of %s lets git read mounted repositories of other users', async (text) => {
    const { dockerfile } = await plan(text);
    const [build, final] = dockerfile.split(/^(?=FROM )/m);
    const trust = 'ENV GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=*\n';
    expect([build?.includes(trust), final?.includes(trust)]).toEqual([false, true]);
  });

  it('has another name for other registries, which only its build stage knows', async () => {
    const registry = { NPM_CONFIG_REGISTRY: 'https://npm.example.com/' };
    const { image, dockerfile } = await plan('npx://pkg', { buildEnvironment: registry });
    expect(image).not.toBe((await plan('npx://pkg')).image);
    const [build, final] = dockerfile.split(/^(?=FROM )/m);
    expect(build).toContain('ENV NPM_CONFIG_REGISTRY="https://npm.example.com/"\n');
    expect(final).not.toContain('npm.example.com');
    const stored = { name: 'a', source: 'npx://pkg', runtime_config: { build_env: registry } };
    expect((await planConfiguredBuild(readRunConfig(JSON.stringify(stored))))?.image).toBe(image);
  });

  it.each([
    ['npx://pkg', { NPM_CONFIG_REGISTRY: 'https://user:canary-31@npm.example.com/' }, 'contains credentials'],
    ['go://example.com/a', { GOPROXY: 'https://a.example,https://canary-31@b.example' }, 'contains credentials'],
    ['uvx://pkg', { UV_INDEX_URL: 'https://x/"\nRUN canary-31' }, 'is not the address of a registry'],
    ['uvx://pkg', { UV_INDEX_URL: 'https://$canary-31/' }, 'is not the address of a registry'],
    ['npx://pkg', { PATH: '/canary-31' }, 'is not a variable of builds of npx:// packages'],
  ])('of %s is refused with the variables %j', async (text, buildEnvironment, problem) => {
    const refused = await plan(text, { buildEnvironment }).catch((error: unknown) => String(error));
    expect(refused).toContain(`${Object.keys(buildEnvironment)[0]} ${problem}`);
    expect(refused).not.toContain('canary-31');
  });

  it.each([
    ['--build-with', { buildWith: ['x'] }, 'npx://pkg'],
    ['--build-with', { buildWith: ['--index-url x'] }, 'uvx://pkg'],
    ['--runtime-image', { runtimeImage: 'Not An Image' }, 'npx://pkg'],
    ['--runtime-add-package', { runtimeAddPackage: ['-y'] }, 'npx://pkg'],
    ['--ca-cert', { caCert: '/does/not/exist' }, 'npx://pkg'],
    ['--ca-cert', { caCert: '/etc/hostname' }, 'npx://pkg'],
  ])('is refused with the flag %s that is wrong', async (flag, flags, text) => {
    await expect(plan(text, flags)).rejects.toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(flag) }),
    );
  });

  it('is not built for an image', async () => {
    await expect(plan('owner/server')).rejects.toThrow('is not a package');
  });

  it('is that of the stored configuration', async () => {
    const config = readRunConfig(
      JSON.stringify({
        name: 'a',
        source: 'uvx://pkg',
        runtime_config: { builder_image: 'python:3.13', build_with: ['x<2'] },
      }),
    );
    const planned = await planConfiguredBuild(config);
    expect(planned?.image).toBe((await plan('uvx://pkg', { runtimeImage: 'python:3.13', buildWith: ['x<2'] })).image);
    expect(await planConfiguredBuild(readRunConfig('{"name":"a","image":"owner/server"}'))).toBeUndefined();
  });
});

describe('the image of a Go package in a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'go-source-'));
    mkdirSync(join(folder, 'cmd', 'server'), { recursive: true });
    writeFileSync(join(folder, 'go.mod'), 'module example.com/x\n');
    writeFileSync(join(folder, 'cmd', 'server', 'main.go'), 'package main\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is built with the module around the package', async () => {
    const planned = await planRequestedBuild('go://./cmd/server', {}, folder);
    expect([planned.source?.folder, planned.source?.target]).toEqual([folder, './cmd/server']);
    expect(planned.dockerfile).toContain('"./cmd/server"');
  });

  it('changes with every file except those that no build needs', async () => {
    const image = async () => (await planRequestedBuild('go://./cmd/server', {}, folder)).image;
    const first = await image();
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git', 'HEAD'), 'x');
    expect(await image()).toBe(first);
    symlinkSync('go.mod', join(folder, 'link'));
    const second = await image();
    writeFileSync(join(folder, 'cmd', 'server', 'main.go'), 'package main // changed\n');
    expect(new Set([first, second, await image()]).size).toBe(3);
  });

  it.each([
    ['a folder without a module', 'go:///tmp', 'no go.mod'],
    ['a file', 'go://./go.mod', 'is not a folder'],
    ['nothing', 'go://./nothing', 'does not exist'],
  ])('is refused for %s', async (_, argument, message) => {
    await expect(planRequestedBuild(argument, {}, folder)).rejects.toThrow(message);
  });
});

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Gatehouse } from './gatehouse.ts';

interface Setting {
  key: string;
  value: unknown;
  source: string;
  variable?: string;
}

describe('gatehouse settings', () => {
  let gatehouse: Gatehouse;
  beforeEach(() => {
    gatehouse = new Gatehouse();
  });
  afterEach(() => rmSync(gatehouse.home, { recursive: true, force: true }));
  const getFile = () => join(gatehouse.home, 'settings.json');
  const noVariables = { DOCKER_HOST: '', DOCKER_CONTEXT: '', GATEHOUSE_NETWORK_RANGE: '' };
  const call = (...args: string[]) => gatehouse.call(args, noVariables);

  it('shows each setting with its value and source', async () => {
    const settings = JSON.parse((await call('settings', 'list', '--json')).stdout) as Setting[];
    expect(settings.map(({ key }) => key)).toEqual([
      ...[
        'ca_bundle',
        'ca_certificate',
        'engine',
        'ignore_globally',
        'image_verification',
        ...['kubernetes.context', 'kubernetes.namespace', 'kubernetes.proxy_image', 'kubernetes.registry'],
        'network_range',
        'registry',
      ],
      ...['runtime.go.image', 'runtime.go.packages', 'runtime.npx.image', 'runtime.npx.packages'],
      ...['runtime.uvx.image', 'runtime.uvx.packages', 'trusted_root'],
    ]);
    expect(new Set(settings.map(({ source }) => source))).toEqual(new Set(['default']));
    expect((await call('settings', 'list')).stdout).toMatch(/^SETTING +VALUE +SOURCE +DESCRIPTION\n/);
    expect((await call('settings', 'get', 'runtime.npx.image')).stdout).toBe('node:24-alpine\n');
  }, 30_000);

  it('stores values, returns to the default, and prefers variables', async () => {
    expect(await call('settings', 'set', 'runtime.npx.packages', 'git, curl')).toMatchObject({
      ...{ code: 0, stdout: '', stderr: 'runtime.npx.packages is curl,git (file)\n' },
    });
    expect((await call('settings', 'show', 'runtime.npx.packages', '--json')).stdout).toContain('"curl"');
    await call('settings', 'set', 'engine', 'unix:///mine.sock');
    const given = await gatehouse.call(['settings', 'set', 'engine', 'unix:///a.sock', '--json'], {
      DOCKER_HOST: 'unix:///b.sock',
    });
    expect(JSON.parse(given.stdout)).toMatchObject({
      ...{ value: 'unix:///b.sock', source: 'environment', variable: 'DOCKER_HOST' },
    });
    expect(given.stderr).toContain('Warning: the variable DOCKER_HOST has precedence');
    expect((await call('run', 'owner/server')).stderr).toContain('unix:///a.sock');
    await call('settings', 'unset', 'engine');
    await call('settings', 'unset', 'runtime.npx.packages');
    expect(JSON.parse(readFileSync(getFile(), 'utf8'))).toEqual({});
  }, 30_000);

  it('builds with the base image and the packages of the settings, unless a flag names others', async () => {
    await call('settings', 'set', 'runtime.npx.image', 'registry.example.com/node:22');
    await call('settings', 'set', 'runtime.npx.packages', 'tree');
    const settings = (await call('build', 'npx://server', '--dry-run')).stdout;
    expect(settings).toContain('FROM registry.example.com/node:22');
    expect(settings).toContain('tree');
    const flags = ['--runtime-image', 'node:20', '--runtime-add-package', 'jq'];
    const dockerfile = (await call('build', 'npx://server', '--dry-run', ...flags)).stdout;
    expect(dockerfile).toContain('FROM node:20');
    expect(dockerfile).not.toContain('tree');
    expect((await call('build', 'uvx://server', '--dry-run')).stdout).toContain('FROM python:');
  }, 30_000);

  it.each([
    [['set', 'engine'], 'Give the new value'],
    [['set', 'runtime.npm.image', 'x'], 'runtime.npx.image   instead of runtime.npm.image'],
    [['set', 'network_range', '10.0.0.0/33'], 'The setting network_range 10.0.0.0/33'],
  ])('refuses settings %j', async (args, sentence) => {
    expect(await call('settings', ...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });

  it('lists workloads with a damaged setting, and runs none', async () => {
    writeFileSync(getFile(), '{"values":{"engine":"nonsense"}}');
    expect((await call('list', '--json')).stdout).toBe('[]\n');
    expect(await call('run', 'owner/server')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('gatehouse settings unset engine'),
    });
  });

  it('keeps every change of 20 concurrent commands, and the sections of other versions', async () => {
    writeFileSync(getFile(), '{"future":{"a":1},"values":{"unknown":"x"}}');
    const registry = join(gatehouse.home, 'registry.json');
    const server = {
      ...{ $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
      ...{ name: 'com.example/one', description: 'one', version: '1.0.0' },
      packages: [{ registryType: 'oci', identifier: 'owner/one:1', transport: { type: 'stdio' } }],
    };
    writeFileSync(registry, JSON.stringify({ version: '1', meta: { last_updated: '' }, data: { servers: [server] } }));
    const values: [string, string][] = [
      ...['go', 'npx', 'uvx'].flatMap((scheme): [string, string][] => [
        [`runtime.${scheme}.image`, `owner/${scheme}:1`],
        [`runtime.${scheme}.packages`, 'git'],
      ]),
      ...[['engine', 'unix:///x.sock'] as [string, string], ['ignore_globally', 'false'] as [string, string]],
      ...[['image_verification', 'enabled'] as [string, string], ['network_range', '10.9.0.0/16'] as [string, string]],
    ];
    const all = await Promise.all(
      values.flatMap(([key, value]) => [call('settings', 'set', key, value), call('registry', 'set', registry)]),
    );
    expect(all).toHaveLength(20);
    expect(all.filter(({ code }) => code !== 0)).toEqual([]);
    expect(JSON.parse(readFileSync(getFile(), 'utf8'))).toEqual({
      future: { a: 1 },
      registry: { kind: 'file', path: registry },
      values: { unknown: 'x', ...Object.fromEntries(values) },
    });
  }, 120_000);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fixtures from '../configuration/exported-configs.fixture.ts';
import { readRunConfig } from '../configuration/run-config.ts';
import { exportConfig } from './export-config.ts';
import { importConfig, type ImportOptions } from './import-config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'exports-'));
  writeFileSync(join(folder, 'data'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (document: object | string, options: Partial<ImportOptions> = {}) =>
  importConfig(typeof document === 'string' ? document : JSON.stringify(document), {
    ...{ path: 'x.json', name: undefined, group: undefined, debug: false, folder },
    addBuildDefaults: (_, flags) => flags,
    ...options,
  });
const REMOTE = { name: 'far', remote_url: 'https://mcp.example.com/mcp' };
const HTTP = { ...fixtures.WRITTEN_BY_HAND, transport: 'streamable-http', target_port: 80 };

describe('exportConfig', () => {
  const config = readRunConfig(
    JSON.stringify({
      ...fixtures.EXPORTED_IMAGE,
      ...{ engine: 'unix:///var/run/docker.sock', network_range: ['10.9.0.0/16'], secrets: ['token,target=TOKEN'] },
      env_vars: { GITHUB_TOKEN: 'x', DB_PASSWORD: 'y', API_KEY: 'z', EMPTY_TOKEN: '', AUTHOR: 'a', LEVEL: 'debug' },
      of_tomorrow: { a: [1] },
    }),
  );
  const { document, suspects } = exportConfig(config);

  it('has no field of this machine, and keeps unknown fields and references to secrets', () => {
    expect(document).not.toMatch(/docker\.sock|10\.9\.0\.0/);
    expect(JSON.parse(document)).toMatchObject({ of_tomorrow: { a: [1] }, secrets: ['token,target=TOKEN'] });
  });

  it('names the variables that look like secrets', () =>
    expect(suspects).toEqual(['GITHUB_TOKEN', 'DB_PASSWORD', 'API_KEY']));

  it('keeps the context and the namespace of a workload in a cluster', () => {
    const engine = 'kubernetes://tools/prod?kubeconfig=%2Fhome%2Fme%2F.kube%2Fconfig';
    const { document: exported } = exportConfig({ ...config, engine });
    expect(exported).not.toContain('/home/me');
    expect(JSON.parse(exported)).toMatchObject({
      runtime: 'kubernetes',
      kube_context: 'prod',
      kube_namespace: 'tools',
    });
    const imported = read(exported);
    expect(imported.request.cluster).toEqual({ context: 'prod', namespace: 'tools' });
    expect(imported.config).not.toHaveProperty('kube_context');
  });

  it('is what an import reads', () => {
    const { config: imported } = read(document);
    expect(imported).toMatchObject({ image: config.image, port: 23_456, of_tomorrow: { a: [1] } });
    expect(String(imported.secrets?.[0])).toBe('token,target=TOKEN');
  });
});

describe('importConfig', () => {
  it('reads the credentials of a remote server, of which a bearer token and secrets come first', () => {
    const remote = {
      ...REMOTE,
      remote_auth_config: { bearer_token: 'T,target=b', use_pkce: true, cached_refresh_token_ref: 'R', headers: null },
      header_forward: { add_plaintext_headers: { 'x-a': 'clear', B: '' }, add_headers_from_secret: { 'X-A': 'key' } },
    };
    const { config, request } = read(remote);
    expect(config.remote_auth_config).toEqual({ use_pkce: true, bearer_token: 'T,target=b' });
    expect(request.remote).toEqual({
      remote_auth_config: { bearer_token: 'T,target=b' },
      header_forward: { add_plaintext_headers: { B: '' }, add_headers_from_secret: { 'X-A': 'key' } },
    });
  });

  it('ignores what only another machine knows', () => {
    const { config } = read({ ...HTTP, base_name: 'other', target_host: '127.0.0.1', volumes: ['./data:/data:ro'] });
    expect(config).toMatchObject({ base_name: 'small', volumes: [`${join(folder, 'data')}:/data:ro`] });
    expect(config).not.toHaveProperty('target_host');
    const kubernetes = { instance: '0123456789abcdef', proxy_image: 'proxy:1' };
    expect(read({ ...HTTP, kubernetes }).config).not.toHaveProperty('kubernetes');
    expect(read({ ...HTTP, transport: 'stdio', target_host: '127.0.0.1' }).config).not.toHaveProperty('target_port');
  });

  it('takes name, group and debug from flags', () =>
    expect(read({ image: 'x' }, { name: 'mine', group: 'team', debug: true }).config).toMatchObject({
      ...{ name: 'mine', base_name: 'mine', group: 'team', debug: true },
    }));

  const IN_CLUSTER = { runtime: 'kubernetes', kube_context: 'prod', kube_namespace: 'tools' };
  it.each([
    ['nothing', {}, {}, undefined],
    ['the document', IN_CLUSTER, {}, { context: 'prod', namespace: 'tools' }],
    ['one flag', IN_CLUSTER, { kubeNamespace: 'other' }, { context: 'prod', namespace: 'other' }],
    ['--runtime engine', IN_CLUSTER, { runtime: 'engine' }, undefined],
    ['--runtime kubernetes', {}, { runtime: 'kubernetes' }, { context: undefined, namespace: undefined }],
  ])('takes the cluster from %s', (_, fields, cluster, expected) => {
    const { config, request } = read({ ...HTTP, ...fields }, { cluster });
    expect(request.cluster).toEqual(expected);
    // The port that an engine has chosen is not that of a Service.
    expect(config.port).toBe(expected === undefined ? 12_345 : 0);
  });

  it.each([
    [{ kubeContext: 'a' }, '--kube-context has a meaning with --runtime kubernetes only'],
    [{ runtime: 'podman' }, '--runtime podman is not a runtime'],
  ])('refuses the flags %j', (cluster, sentence) => expect(() => read(HTTP, { cluster })).toThrow(sentence));

  it.each([
    ['the same name', {}, undefined, 12_345],
    ['another name', {}, 'mine', 0],
    ['another name, but a port of the user', { port_requested: true }, 'mine', 12_345],
  ])('keeps the port of %s: %#', (_, fields, name, port) =>
    expect(read({ ...HTTP, ...fields }, { name }).config.port).toBe(port),
  );

  it.each([
    ['is not JSON', '{"name":'],
    ['the configuration is not a JSON object', '[]'],
    ['the configuration is not a JSON object', 'null'],
    ['is too large: it has more than 100 levels', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['has version "v9.0.0"; this version of gatehouse reads v0.1.0', { ...HTTP, schema_version: 'v9.0.0' }],
    ['has version 2', { ...HTTP, schema_version: 2 }],
    ['the field name is missing', { image: 'x' }],
    ['the field name is not of the type string', { ...HTTP, name: 1 }],
    ['has the name "../x"', { ...HTTP, name: '../x' }],
    ['has the name', { ...HTTP, name: 'a\u0000b' }],
    ['cmd_args.0', { ...HTTP, cmd_args: [1] }],
    ['volumes', { ...HTTP, volumes: '/a:/b' }],
    [
      "volumes /missing:/data names the host path '/missing', which does not exist",
      { ...HTTP, volumes: ['/missing:/data'] },
    ],
    ['volumes data:../x has the container path', { ...HTTP, volumes: ['data:../x'] }],
    ['publish 99999:80 is not in the form', { ...HTTP, publish: ['99999:80'] }],
    ['port 12345 is also a host port of publish', { ...HTTP, publish: ['12345:80'] }],
    ['env_vars A B has a blank', { ...HTTP, env_vars: { 'A B': 'x' } }],
    ['container_labels gatehouse-name=x uses the key', { ...HTTP, container_labels: { 'gatehouse-name': 'x' } }],
    ['permission_profile.network.mode ../x is not', { ...HTTP, permission_profile: { network: { mode: '../x' } } }],
    ["group '../x' is not a group name", { ...HTTP, group: '../x' }],
    [
      'runtime_config.additional_packages a; rm is not',
      { ...HTTP, runtime_config: { additional_packages: ['a; rm'] } },
    ],
    ['runtime_config.builder_image', { ...HTTP, runtime_config: { builder_image: 'x\nRUN y' } }],
    [
      'allow_host "a/b" of the permission profile is not a host',
      { ...HTTP, isolate_network: true, permission_profile: { network: { outbound: { allow_host: ['a/b'] } } } },
    ],
    ['ca_cert /missing cannot be read', { ...HTTP, ca_cert: '/missing' }],
    ['target_host a b is neither', { ...HTTP, target_host: 'a b' }],
    ['host ../x is neither', { ...HTTP, host: '../x' }],
    ['has neither an image nor a source', { name: 'aa' }],
    ['has the image "npx://x", which is not an image', { name: 'aa', image: 'npx://x' }],
    ['has the source "x", which is not a package', { name: 'aa', source: 'x' }],
    ['runtime podman is not a runtime', { ...HTTP, runtime: 'podman' }],
    ['kube_namespace has a meaning with runtime kubernetes only', { ...HTTP, kube_namespace: 'tools' }],
    ['secrets is not in the form', { ...HTTP, secrets: ['hunter2'] }],
    ['a name that begins with __thv_', { ...HTTP, secrets: ['__thv_x,target=A'] }],
    ['permission_profile_name_or_path /missing', { ...HTTP, permission_profile_name_or_path: '/missing' }],
    ['scaling_config', { ...fixtures.EXPORTED_REMOTE, name: 'remote' }],
    [
      'header_forward.add_plaintext_headers Host names',
      { ...REMOTE, header_forward: { add_plaintext_headers: { Host: 'hunter2' } } },
    ],
  ])('refuses a document with the sentence %j', (sentence, document) => {
    expect(() => read(document)).toThrow(sentence);
    expect(() => read(document)).not.toThrow('hunter2');
  });
});

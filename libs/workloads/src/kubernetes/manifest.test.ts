import { describe, expect, it } from '@jest/globals';
import { readRunConfig } from '../configuration/run-config.ts';
import { exportManifest, type ManifestRequest } from '../exports/export-manifest.ts';
import type { KubernetesSettings } from '../flags/cluster-address.ts';

const SETTINGS = { proxyImage: 'proxy:1' };
const create = (
  fields: object,
  request: ManifestRequest = {},
  settings: KubernetesSettings = SETTINGS,
  user: string | undefined = '1000',
) =>
  exportManifest(
    readRunConfig(JSON.stringify({ name: 'web', image: 'owner/server:1', isolate_network: true, ...fields })),
    request,
    settings,
    () => Promise.resolve(user),
  );
const find = async (promise: ReturnType<typeof create>, kind: string, name: string) =>
  (await promise).objects.find((object) => object.kind === kind && object.metadata.name === name);

describe('the manifest of a workload', () => {
  const secrets = ['token,target=TOKEN'];
  const made = create({ secrets, port: 23_456 }, { egressAddress: '10.96.0.50', namespace: 'tools' });

  it('has the objects of the runtime in one namespace, and names the Secret that it lacks', async () => {
    const { objects, secrets: missing } = await made;
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      ...['NetworkPolicy web-server', 'NetworkPolicy web', 'Service web-egress', 'Service web-server', 'Service web'],
      ...['StatefulSet web-server', 'Deployment web'],
    ]);
    expect(new Set(objects.map(({ metadata }) => (metadata as { namespace?: string }).namespace))).toEqual(
      new Set(['tools']),
    );
    expect(missing).toEqual([{ name: 'web-secrets', keys: ['TOKEN'] }]);
    expect(JSON.stringify(objects)).not.toContain('gatehouse.dev/home');
  });

  it('names the Secret of the proxy', async () => {
    const oidc_config = { Issuer: 'https://id.example', ClientID: 'c', ClientSecret: 'stored,target=oidc' };
    const hook = { name: 'check', url: 'https://hook.example/', failure_policy: 'fail', hmac_secret_ref: 'key' };
    const telemetry_config = { endpoint: 'otel:4318', headers: { 'X-Key': 'stored,target=X-Key' } };
    const passes = { oidc_config, validating_webhooks: [hook], telemetry_config };
    const { secrets: missing } = await create({ ...passes, isolate_network: false }, {});
    expect(missing).toEqual([{ name: 'web-proxy-secrets', keys: ['oidc', 'webhook_0', 'otel_header_0'] }]);
  });

  it.each([
    ['1000', undefined, []],
    [
      'node',
      10_001,
      ['The user of the image owner/server:1 is root or has no number; it runs as the user 10001 instead'],
    ],
    ['', 10_001, [expect.stringContaining('is root or has no number')]],
  ])('gives the pods a user that they accept for an image with the user "%s"', async (user, runAsUser, notes) => {
    const manifest = create({ isolate_network: false }, {}, SETTINGS, user);
    const set = await find(manifest, 'StatefulSet', 'web-server');
    expect(set).toMatchObject({ spec: { template: { spec: { securityContext: { runAsNonRoot: true } } } } });
    expect(JSON.stringify(set).includes('runAsUser":10001')).toBe(runAsUser !== undefined);
    expect((await manifest).notes).toEqual(notes);
  });

  it('warns of an image whose user is not known', async () => {
    const config = readRunConfig(JSON.stringify({ name: 'web', image: 'owner/server:1' }));
    const { notes } = await exportManifest(config, {}, SETTINGS, () => Promise.resolve(undefined));
    expect(notes).toEqual([expect.stringContaining('is not known here')]);
  });

  it('fixes the address of the nameserver, and has the port of a Service', async () => {
    expect(await find(made, 'Service', 'web-egress')).toMatchObject({ spec: { clusterIP: '10.96.0.50' } });
    expect(JSON.stringify(await find(made, 'StatefulSet', 'web-server'))).toContain('"nameservers":["10.96.0.50"]');
    expect(await find(made, 'Service', 'web')).toMatchObject({ spec: { ports: [{ port: 8080 }] } });
  });

  it('is the same each time', async () =>
    expect(await create({ secrets }, { egressAddress: '10.96.0.50', namespace: 'tools' })).toEqual(await made));

  it('needs no address without isolation, and has the namespace of the settings', async () => {
    const open = create({ isolate_network: false, transport: 'stdio' }, {}, { ...SETTINGS, namespace: 'own' });
    expect(await find(open, 'RoleBinding', 'web')).toMatchObject({ metadata: { namespace: 'own' } });
    expect(await find(open, 'Service', 'web-egress')).toBeUndefined();
  });

  it.each([
    ['need a fixed address', {}, {}, SETTINGS],
    ['--egress-address x is not an IPv4 address', {}, { egressAddress: 'x' }, SETTINGS],
    ['--kube-namespace A is not the name', {}, { namespace: 'A' }, SETTINGS],
    ['needs the image of the proxy', {}, { egressAddress: '10.96.0.50' }, {}],
    ['is built from npx://x on this machine only', { source: 'npx://x' }, {}, SETTINGS],
    ['--name A_b', { name: 'A_b' }, {}, SETTINGS],
    ['--volume /a:/b', { volumes: ['/a:/b'] }, {}, SETTINGS],
  ])('is refused with the sentence %j', (sentence, fields, request, settings) =>
    expect(create(fields, request, settings)).rejects.toThrow(sentence),
  );
});

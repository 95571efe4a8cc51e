import { describe, expect, it } from '@jest/globals';
import { parseCluster } from '../flags/cluster-flags.ts';
import { RunConfigSchema } from '../configuration/run-config.ts';
import { requireObjectName } from './object-names.ts';
import { requireClusterSupport } from './unsupported-flags.ts';

const create = (fields: object) => RunConfigSchema.parse({ name: 'web', image: 'owner/server', ...fields });

const HOOK = { name: 'check', url: 'https://hook.example/', failure_policy: 'fail' };
const HEADERS = { 'X-Key': 'a,target=X-Key' };
const TELEMETRY = { endpoint: 'otel:4318', insecure: true, enablePrometheusMetricsPath: true, headers: HEADERS };
const LARGE = { version: '1.0', type: 'cedarv1', cedar: { policies: ['x'.repeat(100 * 1024)] } };

describe('a configuration for a cluster', () => {
  it.each([{}, { validating_webhooks: [HOOK, { ...HOOK, hmac_secret_ref: 'A' }] }, { telemetry_config: TELEMETRY }])(
    'has the defaults of the flags, and %j',
    (fields) => expect(() => requireClusterSupport(create(fields))).not.toThrow(),
  );

  it.each([
    ['--volume /data:/data', { volumes: ['/data:/data'] }, 'put the files into the image'],
    ['permission_profile.read.0', { permission_profile: { read: ['/data'] } }, 'put the files into the image'],
    ['--publish 80:8080', { publish: ['80:8080'] }, 'port-forward'],
    ['--network host', { permission_profile: { network: { mode: 'host' } } }, '--permission-profile'],
    ['--target-host 10.0.0.1', { target_host: '10.0.0.1' }, undefined],
    ['--host 0.0.0.0', { host: '0.0.0.0' }, 'Ingress'],
    ['--host mine.example', { host_name: 'mine.example' }, 'Ingress'],
    ['--allow-docker-gateway', { allow_docker_gateway: true }, undefined],
    ['privileged of the permission profile', { permission_profile: { privileged: true } }, undefined],
    ['--audit-config with the logFile /log', { audit_config: { logFile: '/log' } }, 'kubectl logs deployment/web'],
    ['--label service.kubernetes.io/x', { container_labels: { 'service.kubernetes.io/x': 'y' } }, 'another prefix'],
    ['--pids-limit none', { pids_limit: 0 }, 'leave out the flag'],
    ['the webhook check', { validating_webhooks: [{ ...HOOK, hmac_secret_ref: '/a' }] }, 'gatehouse secret set NAME'],
    ['the webhook check', { mutating_webhooks: [{ ...HOOK, tls_config: { ca_bundle_path: '/a' } }] }, 'tls_config'],
    ['--authz-config /a.yaml', { authz_config: LARGE, authz_config_path: '/a.yaml' }, undefined],
    ['--otel-env-vars A,B', { telemetry_config: { environmentVariables: ['A', 'B'] } }, '--otel-custom-attributes'],
    ['telemetry_config.caCertPath /a', { telemetry_config: { caCertPath: '/a' } }, undefined],
    ['--jwks-auth-token-file /t', { jwks_auth_token_file: '/t' }, undefined],
  ])('is refused with %s', (typed, fields, advice) => {
    expect(() => requireClusterSupport(create(fields))).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining(`${typed} `),
        tryNext: advice === undefined ? [] : expect.arrayContaining([expect.stringContaining(advice)]),
      }),
    );
  });
});

describe('the name of a workload in a cluster', () => {
  it.each(['a', 'web', 'server-2', 'x'.repeat(40)])('can be %s', (name) =>
    expect(() => requireObjectName(name)).not.toThrow(),
  );

  it.each([
    ['Web_1', 'web-1'],
    ['2048', 'server'],
    ['a.b', 'a-b'],
    ['x-', 'x'],
    ['x'.repeat(41), 'x'.repeat(40)],
  ])('cannot be %s; the error suggests %s', (name, suggestion) =>
    expect(() => requireObjectName(name)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`--name ${name}`),
        tryNext: [`--name ${suggestion}`],
      }),
    ),
  );
});

describe('--runtime', () => {
  it.each([
    [{}, undefined],
    [{ runtime: 'engine' }, undefined],
    [{ runtime: 'kubernetes' }, { context: undefined, namespace: undefined }],
    [
      { runtime: 'kubernetes', kubeContext: 'a/b', kubeNamespace: 'tools' },
      { context: 'a/b', namespace: 'tools' },
    ],
  ])('reads %j', (flags, selection) => expect(parseCluster(flags)).toEqual(selection));

  it.each([
    [{ runtime: 'docker' }, '--runtime docker is not a runtime'],
    [{ runtime: '' }, '--runtime  is not a runtime'],
    [{ kubeContext: 'a' }, '--kube-context has a meaning with --runtime kubernetes only'],
    [{ runtime: 'engine', kubeNamespace: 'a' }, '--kube-namespace has a meaning with --runtime kubernetes only'],
    [{ runtime: 'kubernetes', kubeContext: '' }, '--kube-context is empty'],
    [{ runtime: 'kubernetes', kubeNamespace: '../x' }, '--kube-namespace ../x is not the name of a namespace'],
    [{ runtime: 'kubernetes', kubeNamespace: 'x'.repeat(64) }, 'is not the name of a namespace'],
  ])('refuses %j', (flags, sentence) => expect(() => parseCluster(flags)).toThrow(sentence));
});

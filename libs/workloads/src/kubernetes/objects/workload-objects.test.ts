import { describe, expect, it } from '@jest/globals';
import { RunConfigSchema } from '../../configuration/run-config.ts';
import { createNetworkPolicies } from './network-policies.ts';
import { createDeployment, createEgressService, createProxyRights, createProxyService } from './proxy-objects.ts';
import { createSecret, createStatefulSet } from './server-objects.ts';

const createParts = (fields: object = {}) => ({
  config: RunConfigSchema.parse({
    ...{ name: 'web', image: 'owner/server:1', transport: 'streamable-http', target_port: 9000, isolate_network: true },
    ...fields,
  }),
  ...{ namespace: 'tools', homeId: '01234567', instance: 'abc', image: 'proxy:1', replicas: 1 },
  ...{ egressAddress: '10.96.0.9', secretVariables: [] as string[], serverAddress: '10.96.0.8' },
  ...{ secretKeys: [] as string[], certificates: undefined },
});

/** Reads one member, by the path of its names. */
const read = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], object);

const getContainer = (object: unknown) =>
  (read(object, 'spec.template.spec.containers') as Record<string, unknown>[])[0] ?? {};

describe('the pod of a server', () => {
  it('has no rights in the cluster and no privilege', () => {
    const set = createStatefulSet(createParts());
    expect(read(set, 'spec.template.spec')).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(getContainer(set)).toMatchObject({
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      resources: { limits: { cpu: '2', memory: String(2 * 1024 ** 3) } },
    });
  });

  it('has a read-only root where the profile asks for it', () => {
    const set = createStatefulSet(createParts({ permission_profile: { read_only_root: true } }));
    expect(getContainer(set)).toMatchObject({
      securityContext: { readOnlyRootFilesystem: true },
      volumeMounts: [{ mountPath: '/tmp' }],
    });
    expect(getContainer(createStatefulSet(createParts()))['volumeMounts']).toBeUndefined();
  });

  it('has references to the Secret in place of values', () => {
    const parts = createParts({ env_vars: { TOKEN: 'plain', LEVEL: 'debug' } });
    const secret = createSecret(parts, { TOKEN: 'hunter2' });
    expect(secret).toMatchObject({ kind: 'Secret', data: { TOKEN: Buffer.from('hunter2').toString('base64') } });
    const set = createStatefulSet({ ...parts, secretVariables: ['TOKEN'] });
    const reference = { secretKeyRef: { name: 'web-secrets', key: 'TOKEN' } };
    expect(getContainer(set)['env']).toEqual(
      expect.arrayContaining([
        { name: 'LEVEL', value: 'debug' },
        { name: 'TOKEN', valueFrom: reference },
      ]),
    );
    expect(JSON.stringify(set)).not.toMatch(/hunter2|plain/);
  });

  it('receives texts of the user as they are', () => {
    const parts = createParts({ cmd_args: ['$(HOME)', '$$(x)', 'a$$b$'], env_vars: { A: '$(TOKEN)' } });
    const container = getContainer(createStatefulSet(parts));
    expect(container['args']).toEqual(['$$(HOME)', '$$$$(x)', 'a$$$$b$$']);
    expect(container['env']).toEqual(expect.arrayContaining([{ name: 'A', value: '$$(TOKEN)' }]));
  });

  it('asks only the egress part for names', () => {
    expect(read(createStatefulSet(createParts()), 'spec.template.spec')).toMatchObject({
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['10.96.0.9'] },
    });
    const open = createStatefulSet({ ...createParts({ isolate_network: false }), egressAddress: undefined });
    expect(JSON.stringify(open)).not.toMatch(/dnsPolicy|HTTP_PROXY/);
  });
});

describe('the pods of a workload', () => {
  it('have no label by which a foreign Service or policy would select them', () => {
    const parts = createParts({ container_labels: { app: 'shop', 'app.kubernetes.io/component': 'db' } });
    for (const object of [createStatefulSet(parts), createDeployment(parts)]) {
      expect(object.metadata.labels).toMatchObject({ app: 'shop', 'app.kubernetes.io/name': 'web' });
      const labels = Object.keys(read(object, 'spec.template.metadata.labels') as object);
      expect(labels.filter((key) => !key.startsWith('gatehouse.dev/'))).toEqual(['app.kubernetes.io/managed-by']);
    }
  });
});

describe('the network policies', () => {
  it('let an isolated server reach the egress part only, and the proxy alone reach the server', () => {
    const profile = { network: { outbound: { allow_host: ['example.com'], allow_port: [5432] } } };
    const [server, proxy] = createNetworkPolicies(createParts({ permission_profile: profile }));
    const [to] = [{ podSelector: { matchLabels: { 'gatehouse.dev/component': 'proxy' } } }];
    const ports = [53, 53, 3128, 80, 443, 5432].map((port) => expect.objectContaining({ port }));
    expect(server).toMatchObject({
      spec: {
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [to], ports: [{ protocol: 'TCP', port: 9000 }] }],
        egress: [{ to: [to], ports }],
      },
    });
    expect(read(server, 'spec.egress')).toHaveLength(1);
    expect(read(proxy, 'spec.policyTypes')).toEqual(['Ingress']);
  });

  it('close every port of a stdio server, and leave the egress of an open one', () => {
    const parts = createParts({ transport: 'stdio', target_port: undefined, isolate_network: false });
    const [server] = createNetworkPolicies(parts);
    expect(read(server, 'spec')).toMatchObject({ policyTypes: ['Ingress'], ingress: [] });
    expect(createEgressService(parts)).toBeUndefined();
  });

  it('keep the ports of the proxy apart from those of the profile', () => {
    const profile = { network: { outbound: { allow_port: [8080, 8081] } } };
    const deployment = createDeployment(createParts({ permission_profile: profile }));
    expect(getContainer(deployment)).toMatchObject({
      ports: [{ containerPort: 8082 }],
      readinessProbe: { httpGet: { port: 8083 } },
    });
  });
});

describe('the proxy', () => {
  it('has a port for metrics, which every pod reaches', () => {
    const telemetry_config = { enablePrometheusMetricsPath: true };
    const parts = createParts({ telemetry_config });
    const port = { name: 'metrics', containerPort: 9464 };
    expect(getContainer(createDeployment(parts))['ports']).toEqual([expect.anything(), port]);
    const policies = JSON.stringify(createNetworkPolicies(parts));
    expect(policies).toContain('9464');
    expect(JSON.stringify(createDeployment(createParts()))).not.toContain('9464');
    // The egress part needs the port that the profile names.
    const profile = { network: { outbound: { allow_host: ['a.example'], allow_port: [9464] } } };
    const crowded = createParts({ telemetry_config, permission_profile: profile });
    const ports = getContainer(createDeployment(crowded))['ports'] as { name: string; containerPort: number }[];
    expect(ports[1]?.containerPort).not.toBe(9464);
    expect(new Set(ports.map(({ containerPort }) => containerPort)).size).toBe(2);
  });

  it('has a Service with the annotations of the discovery', () => {
    expect(createProxyService(createParts({ group: 'office', port: 9999 }))).toMatchObject({
      metadata: {
        annotations: {
          'gatehouse.dev/discover': 'true',
          'gatehouse.dev/mcp-port': 'mcp',
          'gatehouse.dev/mcp-transport': 'streamable-http',
          'gatehouse.dev/group': 'office',
        },
      },
      spec: { ports: [{ name: 'mcp', port: 9999, appProtocol: 'gatehouse.dev/mcp' }] },
    });
  });

  it('has rights on the pods of its own stdio server, and none for an HTTP server', () => {
    expect(createProxyRights(createParts())).toEqual([]);
    const [account, role] = createProxyRights(createParts({ transport: 'stdio', target_port: undefined }));
    expect(account).toMatchObject({ kind: 'ServiceAccount' });
    const rules = read(role, 'rules') as { resourceNames?: string[]; verbs: string[] }[];
    expect(rules.every(({ resourceNames = [] }) => resourceNames.length > 0)).toBe(true);
    expect(
      rules.flatMap(({ resourceNames = [] }) => resourceNames).every((name) => name.startsWith('web-server')),
    ).toBe(true);
  });

  it('has references to its secrets, and the certificates of the issuer', () => {
    const oidc = { Issuer: 'https://id.example', ClientID: 'c', ClientSecret: 'stored,target=oidc' };
    const parts = { ...createParts({ oidc_config: oidc }), secretKeys: ['oidc'], certificates: 'PEM' };
    const container = getContainer(createDeployment({ ...parts, certificates: 'PEM' }));
    expect(container['env']).toContainEqual({
      name: 'GATEHOUSE_PROXY_OIDC',
      valueFrom: { secretKeyRef: { name: 'web-proxy-secrets', key: 'oidc' } },
    });
    expect(JSON.parse((container['args'] as string[])[0] ?? '')).toMatchObject({
      certificates: 'PEM',
      config: { oidc_config: oidc },
    });
    expect(createSecret(parts, { oidc: 'hunter2' }, 'proxySecret')).toMatchObject({
      metadata: { name: 'web-proxy-secrets' },
      data: { oidc: Buffer.from('hunter2').toString('base64') },
    });
  });

  it('has neither the variables nor the secrets of the server', () => {
    const parts = createParts({
      ...{ env_vars: { A: 'canary' }, secrets: ['token,target=TOKEN'], cmd_args: ['--key=canary'] },
      ...{ runtime_config: { runtime_env: { B: 'canary' } }, of_tomorrow: { password: 'canary' } },
      container_labels: { team: 'canary' },
      tools_filter: ['greet'],
    });
    const [argument] = getContainer(createDeployment(parts))['args'] as string[];
    expect(argument).not.toMatch(/canary|TOKEN/);
    expect(argument).toContain('"tools_filter":["greet"]');
  });
});

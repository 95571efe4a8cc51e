import { type RunConfig, RunConfigSchema } from '../../configuration/run-config.ts';
import { getClientTransport, getEndpointPath } from '../../configuration/endpoint-path.ts';
import { planNetwork } from '../../configuration/network-plan.ts';
import type { PodSettings } from '../pod/pod-settings.ts';
import { getServerPodName } from '../object-names.ts';
import {
  type ClusterObject,
  createObjectLabels,
  createPodLabels,
  createPodSelector,
  escapeVariables,
  getNames,
  type ObjectParts,
} from './cluster-object.ts';
import { choosePorts } from './network-policies.ts';
import { CONTAINER, MAX_SERVER_PODS } from '../pod-conventions.ts';
import { getSecretVariable } from '../proxy-secrets.ts';
import { getServicePort } from '../../flags/cluster-address.ts';
import { createContainerSecurity, createPodRestrictions, createResources } from './server-objects.ts';

const MEMORY_BYTES = 256 * 1024 ** 2;
/** The user of the image of the proxy. */
const USER = 65_534;

/** The parts of the objects of a proxy. */
export interface ProxyParts extends ObjectParts {
  readonly image: string;
  readonly replicas: number;
  /** The address of the egress Service; undefined: the network is not isolated. */
  readonly egressAddress: string | undefined;
  /** The address of the Service of an HTTP server. */
  readonly serverAddress: string | undefined;
  /** The keys of the Secret of the proxy. */
  readonly secretKeys: readonly string[];
  /** Certificates that the proxy trusts for its issuer, PEM. */
  readonly certificates: string | undefined;
}

/** Creates the Service for MCP clients, with the annotations of the discovery of MCP servers. */
export function createProxyService(parts: ObjectParts): ClusterObject {
  const { config } = parts;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: getNames(parts).proxy,
      labels: createObjectLabels(parts),
      annotations: {
        'gatehouse.dev/discover': 'true',
        'gatehouse.dev/mcp-port': 'mcp',
        'gatehouse.dev/mcp-path': getEndpointPath(config),
        'gatehouse.dev/mcp-transport': getClientTransport(config),
        'gatehouse.dev/group': config.group,
        'gatehouse.dev/description': `${config.source ?? config.registry_server_name ?? config.image}, run by gatehouse`,
      },
    },
    spec: {
      selector: createPodSelector(parts, 'proxy'),
      ports: [{ name: 'mcp', port: getServicePort(config), targetPort: 'mcp', appProtocol: 'gatehouse.dev/mcp' }],
    },
  };
}

/** Creates the Service of the egress part, whose address an isolated server knows. */
export function createEgressService(parts: ObjectParts): ClusterObject | undefined {
  const { egress } = choosePorts(parts);
  if (egress.length === 0) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: getNames(parts).egress, labels: createObjectLabels(parts) },
    spec: {
      selector: createPodSelector(parts, 'proxy'),
      // The DNS filter answers with IPv4 addresses.
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: ['IPv4'],
      // The server can ask for names before the pod of the proxy is ready.
      publishNotReadyAddresses: true,
      ports: [
        { name: 'dns-udp', protocol: 'UDP', port: 53 },
        ...egress.map((port) => ({ name: `tcp-${port}`, protocol: 'TCP', port })),
      ],
    },
  };
}

/**
 * Creates the account of the proxy of a stdio server: it attaches to the pods of its own server,
 * replaces them and changes their number. The proxy of an HTTP server has no rights in the cluster.
 */
export function createProxyRights(parts: ObjectParts): ClusterObject[] {
  if (parts.config.transport !== 'stdio') return [];
  const { proxy: name, server } = getNames(parts);
  const metadata = { name, labels: createObjectLabels(parts) };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const pods = Array.from({ length: MAX_SERVER_PODS }, (_, at) => getServerPodName(parts.config.name, at));
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
    {
      apiVersion,
      kind: 'Role',
      metadata,
      rules: [
        { apiGroups: [''], resources: ['pods'], resourceNames: pods, verbs: ['get', 'delete'] },
        { apiGroups: [''], resources: ['pods/attach'], resourceNames: pods, verbs: ['get', 'create'] },
        { apiGroups: ['apps'], resources: ['statefulsets/scale'], resourceNames: [server], verbs: ['patch'] },
      ],
    },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: parts.namespace }],
    },
  ];
}

/** Creates the Deployment of the proxy. It has one pod, because that has the sessions. */
export function createDeployment(parts: ProxyParts): ClusterObject {
  const { config, replicas, image } = parts;
  const name = getNames(parts).proxy;
  const labels = createObjectLabels(parts);
  const ports = choosePorts(parts);
  const usesApi = config.transport === 'stdio';
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: createPodSelector(parts, 'proxy') },
      template: {
        metadata: { labels: createPodLabels(parts, 'proxy') },
        spec: {
          ...createPodRestrictions(usesApi),
          ...(usesApi && { serviceAccountName: name }),
          securityContext: {
            ...{ runAsNonRoot: true, runAsUser: USER, runAsGroup: USER },
            seccompProfile: { type: 'RuntimeDefault' },
            // The egress part listens on the ports of DNS, HTTP and HTTPS.
            ...(ports.egress.length > 0 && {
              sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }],
            }),
          },
          containers: [
            {
              name: CONTAINER,
              image,
              imagePullPolicy: 'IfNotPresent',
              args: [escapeVariables(JSON.stringify(createPodSettings(parts)))],
              env: [
                { name: 'NODE_IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
                { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
                ...parts.secretKeys.map((key) => ({
                  name: getSecretVariable(key),
                  valueFrom: { secretKeyRef: { name: getNames(parts).proxySecret, key } },
                })),
              ],
              ports: [
                { name: 'mcp', containerPort: ports.mcp },
                ...(ports.metrics === undefined ? [] : [{ name: 'metrics', containerPort: ports.metrics }]),
              ],
              readinessProbe: {
                httpGet: { path: '/ready', port: ports.health },
                periodSeconds: 1,
                failureThreshold: 1,
              },
              resources: createResources({ memoryBytes: MEMORY_BYTES, cpus: 0 }),
              securityContext: createContainerSecurity(true),
            },
          ],
        },
      },
    },
  };
}

/**
 * The fields that a proxy does not need: those of the server, which can have values that are
 * secret, and those of this machine.
 */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  ...['env_vars', 'secrets', 'cmd_args', 'runtime_config', 'container_labels', 'volumes', 'env_file_dir'],
  ...['image_provenance', 'registry_url', 'registry_api_url', 'ignore_config', 'network_range', 'engine', 'kubernetes'],
  ...['ca_cert', 'thv_ca_bundle', 'audit_config_path', 'authz_config_path', 'permission_profile_name_or_path'],
] satisfies (keyof RunConfig)[]);

/** Reduces a configuration to what the proxy needs. Readers of a Deployment see the rest of it. */
function createProxyConfig(config: RunConfig): RunConfig {
  const isKnown = (field: string) => Object.hasOwn(RunConfigSchema.shape, field) && !SERVER_FIELDS.has(field);
  return RunConfigSchema.parse(
    JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(config).filter(([field]) => isKnown(field))))),
  );
}

/** Returns the settings of the program in the pod. */
function createPodSettings(parts: ProxyParts): PodSettings {
  const { namespace, egressAddress, serverAddress, certificates } = parts;
  const config = createProxyConfig(parts.config);
  const names = getNames(parts);
  const plan = planNetwork(parts.config);
  const { mcp, health, metrics } = choosePorts(parts);
  return {
    config,
    ports: { mcp, health, ...(metrics !== undefined && { metrics }) },
    namespace,
    statefulSet: names.server,
    ...(serverAddress !== undefined && { serverAddress }),
    ...(certificates !== undefined && { certificates }),
    hosts: ['', `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`].map(
      (domain) => `${names.proxy}${domain}`,
    ),
    ...(plan.kind === 'isolated' &&
      egressAddress !== undefined && { egress: { policy: plan.policy, address: egressAddress } }),
  };
}

import type { Cluster, Right } from './cluster.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { FIRST_SERVER_PODS } from './pod-conventions.ts';
import { listProxySecretKeys } from './proxy-secrets.ts';
import type { ClusterObject, ObjectParts } from './objects/cluster-object.ts';
import { createNetworkPolicies } from './objects/network-policies.ts';
import {
  createDeployment,
  createEgressService,
  createProxyRights,
  createProxyService,
} from './objects/proxy-objects.ts';
import { createSecret, createServerService, createStatefulSet } from './objects/server-objects.ts';

/** The parts of the objects of a workload that starts. */
export interface StartParts extends ObjectParts {
  readonly proxyImage: string;
  /** The values of secrets by variable. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The values of the secrets of the proxy by key. */
  readonly proxySecrets: Readonly<Record<string, string>>;
  /** Certificates that the proxy trusts for its issuer, PEM. */
  readonly certificates: string | undefined;
  /** Whether objects of this workload exist already. */
  readonly replace: boolean;
}

/** Creates the objects of a workload. Pods come last, so that they have their policies at once. */
export async function createObjects(cluster: Cluster, parts: StartParts, abort: AbortSignal): Promise<void> {
  const { config, proxyImage: image, secrets, proxySecrets, replace } = parts;
  const put = (object: ClusterObject) => cluster.put<Service>(object, replace, abort);
  const egress = createEgressService(parts);
  const first = [
    createSecret(parts, secrets),
    createSecret(parts, proxySecrets, 'proxySecret'),
    createProxyService(parts),
    ...createNetworkPolicies(parts),
    ...createProxyRights(parts),
  ].filter((object) => object !== undefined);
  const server = config.transport === 'stdio' ? undefined : createServerService(parts);
  const [egressService, serverService] = await Promise.all([
    egress && put(egress),
    server && put(server),
    ...first.map(put),
  ]);
  const egressAddress = egressService?.spec?.clusterIP;
  const serverAddress = serverService?.spec?.clusterIP;
  if (egress !== undefined && egressAddress === undefined) throw new Error('the Service of the egress has no address');
  const pods = { ...parts, egressAddress, secretVariables: Object.keys(secrets) };
  const replicas = config.transport === 'stdio' ? FIRST_SERVER_PODS : 1;
  await Promise.all([
    put(createStatefulSet({ ...pods, replicas })),
    put(createDeployment({ ...pods, image, serverAddress, replicas: 1, secretKeys: Object.keys(proxySecrets) })),
  ]);
}

/** The read members of a Service. */
interface Service {
  readonly spec?: { readonly clusterIP?: string };
}

const right = (group: string, resource: string, verb: string): Right => ({ group, resource, verb });

/** Lists the rights that a start, a stop and a removal of a workload need. */
export function listNeededRights(config: RunConfig): Right[] {
  const managed = [
    ['apps', 'statefulsets'],
    ['apps', 'deployments'],
    ['', 'services'],
    ['networking.k8s.io', 'networkpolicies'],
    ...((config.secrets ?? []).length > 0 || listProxySecretKeys(config).length > 0 ? [['', 'secrets']] : []),
    ...(config.transport === 'stdio'
      ? [
          ['', 'serviceaccounts'],
          ['rbac.authorization.k8s.io', 'roles'],
          ['rbac.authorization.k8s.io', 'rolebindings'],
        ]
      : []),
  ] as const;
  return [
    ...managed.flatMap(([group = '', resource = '']) =>
      ['create', 'delete', 'list', 'patch'].map((verb) => right(group, resource, verb)),
    ),
    ...['statefulsets', 'deployments'].map((resource) => ({
      ...right('apps', resource, 'patch'),
      subresource: 'scale',
    })),
    right('', 'pods', 'list'),
    // A user can give the proxy only rights that they have.
    ...(config.transport === 'stdio'
      ? [{ ...right('', 'pods', 'create'), subresource: 'attach' }, right('', 'pods', 'delete')]
      : []),
  ];
}

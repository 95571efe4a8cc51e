import { getLimits } from '../../configuration/config-values.ts';
import { createServerVariables } from '../../configuration/server-variables.ts';
import { isMovingReference } from '../../flags/image-reference.ts';
import { PROXY_PORT } from '../../isolation/egress-ports.ts';
import { CONTAINER } from '../pod-conventions.ts';
import {
  type ClusterObject,
  createObjectLabels,
  createPodLabels,
  createPodSelector,
  escapeVariables,
  getNames,
  type ObjectParts,
} from './cluster-object.ts';

/** Seconds in which a server may end by itself before it is killed. */
const GRACE_SECONDS = 10;
/** The user of an image whose own user is root or has no number. */
const NON_ROOT_USER = 10_001;
/** Requests make a pod schedulable on a small node; the limits are those of the configuration. */
const REQUESTS = { cpus: 0.05, memoryBytes: 64 * 1024 ** 2 };

/** The parts of the objects of a server. */
export interface ServerParts extends ObjectParts {
  /** The address of the egress Service; undefined: the network is not isolated. */
  readonly egressAddress: string | undefined;
  readonly replicas: number;
  /** The names of the variables that are secrets. */
  readonly secretVariables: readonly string[];
  /** Whether the pods need another user than that of the image; default: as configured. */
  readonly needsUser?: boolean;
}

/** Returns the security context of each container: no privilege, no capability. */
export const createContainerSecurity = (isReadOnly: boolean) => ({
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: isReadOnly,
  capabilities: { drop: ['ALL'] },
});

/** Returns the members of a pod that give it no rights in the cluster. */
export const createPodRestrictions = (usesApi: boolean) => ({
  automountServiceAccountToken: usesApi,
  enableServiceLinks: false,
  terminationGracePeriodSeconds: GRACE_SECONDS,
});

/** Returns the limits of a container, and what it needs at least. */
export function createResources({ memoryBytes, cpus }: { readonly memoryBytes: number; readonly cpus: number }) {
  return {
    requests: {
      cpu: String(cpus === 0 ? REQUESTS.cpus : Math.min(cpus, REQUESTS.cpus)),
      memory: String(memoryBytes === 0 ? REQUESTS.memoryBytes : Math.min(memoryBytes, REQUESTS.memoryBytes)),
    },
    limits: {
      ...(cpus !== 0 && { cpu: String(cpus) }),
      ...(memoryBytes !== 0 && { memory: String(memoryBytes) }),
    },
  };
}

/**
 * Creates a Secret with the values of the secrets of a workload; undefined without any.
 * @param of the server, or the proxy
 */
export function createSecret(
  parts: ObjectParts,
  values: Readonly<Record<string, string>>,
  of: 'secret' | 'proxySecret' = 'secret',
): ClusterObject | undefined {
  const entries = Object.entries(values);
  if (entries.length === 0) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: getNames(parts)[of], labels: createObjectLabels(parts) },
    type: 'Opaque',
    data: Object.fromEntries(entries.map(([name, value]) => [name, Buffer.from(value).toString('base64')])),
  };
}

/** Creates the Service of an HTTP server, which only the proxy uses. */
export function createServerService(parts: ObjectParts): ClusterObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: getNames(parts).server, labels: createObjectLabels(parts) },
    spec: {
      selector: createPodSelector(parts, 'server'),
      ports: [{ name: 'server', port: parts.config.target_port, targetPort: 'server' }],
      // The proxy itself finds out when the server answers.
      publishNotReadyAddresses: true,
    },
  };
}

/** Creates the StatefulSet of the server. Its pods have names that the rights of the proxy name. */
export function createStatefulSet(parts: ServerParts): ClusterObject {
  const { config, replicas } = parts;
  const name = getNames(parts).server;
  const labels = createObjectLabels(parts);
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, labels },
    spec: {
      replicas,
      serviceName: name,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: createPodSelector(parts, 'server') },
      template: {
        metadata: { labels: createPodLabels(parts, 'server') },
        spec: {
          ...createPodRestrictions(false),
          ...createNameservers(parts.egressAddress),
          securityContext: {
            runAsNonRoot: true,
            ...((parts.needsUser ?? config.kubernetes?.needs_user) === true && {
              runAsUser: NON_ROOT_USER,
              runAsGroup: NON_ROOT_USER,
            }),
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [createContainer(parts)],
          ...(isReadOnly(parts) && { volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1Gi' } }] }),
        },
      },
    },
  };
}

/** The egress part answers the names that the profile allows, and no other nameserver does. */
const createNameservers = (address: string | undefined) =>
  address === undefined ? {} : { dnsPolicy: 'None', dnsConfig: { nameservers: [address], searches: ['.'] } };

const isReadOnly = ({ config }: ObjectParts): boolean => config.permission_profile?.read_only_root === true;

function createContainer(parts: ServerParts): unknown {
  const { config, egressAddress } = parts;
  const isStdio = config.transport === 'stdio';
  return {
    name: CONTAINER,
    image: config.image,
    // A tag that moves is pulled again, as on an engine.
    imagePullPolicy: isMovingReference(config.image) ? 'Always' : 'IfNotPresent',
    ...(config.cmd_args.length > 0 && { args: config.cmd_args.map(escapeVariables) }),
    env: createVariables(parts, egressAddress === undefined ? undefined : `http://${egressAddress}:${PROXY_PORT}`),
    ...(isStdio && { stdin: true, stdinOnce: true }),
    ...(!isStdio && {
      ports: [{ name: 'server', containerPort: config.target_port }],
      readinessProbe: { tcpSocket: { port: 'server' }, periodSeconds: 2, failureThreshold: 15 },
    }),
    resources: createResources(getLimits(config)),
    securityContext: createContainerSecurity(isReadOnly(parts)),
    ...(isReadOnly(parts) && { volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] }),
  };
}

/** Secrets are references to the Secret, and win over other variables of their name. */
function createVariables(parts: ServerParts, proxyUrl: string | undefined): unknown[] {
  const { config, secretVariables } = parts;
  const plain = Object.entries(createServerVariables(config, '', proxyUrl)).filter(
    ([name]) => !secretVariables.includes(name),
  );
  return [
    ...plain.map(([name, value]) => ({ name, value: escapeVariables(value) })),
    ...secretVariables.map((name) => ({
      name,
      valueFrom: { secretKeyRef: { name: getNames(parts).secret, key: name } },
    })),
  ];
}

import { isIPv4 } from 'node:net';
import { resolveImageDefaults } from '../configuration/image-defaults.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { flagError, WorkloadError } from '../errors/workload-error.ts';
import {
  DEFAULT_NAMESPACE,
  isClusterAddress,
  type KubernetesSettings,
  parseClusterAddress,
  requireNamespaceName,
} from '../flags/cluster-address.ts';
import { Cluster } from '../kubernetes/cluster.ts';
import { describeRefusedUser, isRefusedUser } from '../kubernetes/image-user.ts';
import { createManifest, type Manifest, needsEgressAddress } from '../kubernetes/manifest.ts';
import { getObjectNames, requireObjectName } from '../kubernetes/object-names.ts';
import { requireClusterSupport } from '../kubernetes/unsupported-flags.ts';

/** The flags of an export as objects of Kubernetes. */
export interface ManifestRequest {
  readonly namespace?: string | undefined;
  /** The address of the egress Service. */
  readonly egressAddress?: string | undefined;
}

/** The objects of a workload, and what a user must know about them. */
export interface ExportedManifest extends Manifest {
  readonly notes: readonly string[];
}

/**
 * Exports a workload as the objects that the runtime of Kubernetes would create.
 * @param findImageUser returns the user of an image; undefined where it is not known
 * @throws WorkloadError (usage) for a configuration that a cluster cannot run, and for a missing
 * flag or setting
 */
export async function exportManifest(
  config: RunConfig,
  request: ManifestRequest,
  settings: KubernetesSettings,
  findImageUser: (image: string) => Promise<string | undefined>,
): Promise<ExportedManifest> {
  const { name, source, engine } = config;
  const address = isClusterAddress(engine) ? parseClusterAddress(engine) : undefined;
  if (source !== undefined && address === undefined)
    throw new WorkloadError('usage', `The image of ${name} is built from ${source} on this machine only`, [
      `gatehouse export ${name} | gatehouse run --from-config - --runtime kubernetes   builds and pushes it, for a later export`,
    ]);
  requireObjectName(name);
  requireClusterSupport(config);
  // The port that an engine has chosen is not that of a Service.
  const portable = config.port_requested ? config : { ...config, port: 0 };
  const complete = await resolveImageDefaults(portable, { labels: {}, ports: [] });
  const typed = request.namespace ?? settings.namespace;
  const namespace =
    address !== undefined && request.namespace === undefined
      ? address.namespace
      : requireNamespaceName('--kube-namespace', typed ?? DEFAULT_NAMESPACE);
  const proxyImage = requireProxyImage(config, settings);
  const egressAddress = needsEgressAddress(complete) ? await findEgressAddress(config, request) : undefined;
  const { needsUser, notes } = await checkUser(config, findImageUser);
  return { ...createManifest(complete, { namespace, proxyImage, egressAddress, needsUser }), notes };
}

/** A workload in a cluster has shown whether its pods accept the user of the image. */
async function checkUser(
  { kubernetes, image }: RunConfig,
  findImageUser: (image: string) => Promise<string | undefined>,
): Promise<{ readonly needsUser: boolean; readonly notes: readonly string[] }> {
  if (kubernetes !== undefined) return { needsUser: kubernetes.needs_user === true, notes: [] };
  const user = await findImageUser(image);
  if (user === undefined)
    return {
      needsUser: false,
      notes: [`The user of the image ${image} is not known here. The pods start only when it is a number other than 0`],
    };
  return isRefusedUser(user)
    ? { needsUser: true, notes: [describeRefusedUser(image)] }
    : { needsUser: false, notes: [] };
}

function requireProxyImage({ kubernetes }: RunConfig, { proxyImage }: KubernetesSettings): string {
  const image = kubernetes?.proxy_image ?? proxyImage;
  if (image !== undefined) return image;
  throw new WorkloadError('usage', '--format k8s needs the image of the proxy', [
    'gatehouse image proxy --push   builds it and pushes it to kubernetes.registry',
    'gatehouse settings set kubernetes.proxy_image IMAGE   names it',
  ]);
}

/** The address of the flag, else the one that the Service of the running workload has. */
async function findEgressAddress({ name, engine }: RunConfig, { egressAddress }: ManifestRequest): Promise<string> {
  if (egressAddress !== undefined) {
    if (isIPv4(egressAddress)) return egressAddress;
    throw flagError(`--egress-address ${egressAddress}`, 'is not an IPv4 address');
  }
  const found = isClusterAddress(engine) ? await readServiceAddress(engine, getObjectNames(name).egress) : undefined;
  if (found !== undefined) return found;
  throw new WorkloadError(
    'usage',
    `The network of ${name} is isolated, and its pods need a fixed address of their nameserver`,
    [
      '--egress-address IP   a free address of the Services of the cluster',
      'kubectl get service kubernetes   shows an address of their range',
    ],
  );
}

async function readServiceAddress(engine: string, service: string): Promise<string | undefined> {
  const cluster = Cluster.open(parseClusterAddress(engine));
  try {
    return await cluster.findServiceAddress(service);
  } finally {
    cluster.close();
  }
}

import { createHash } from 'node:crypto';
import type { RunConfig } from '../configuration/run-config.ts';
import { getObjectNames } from './object-names.ts';
import type { ClusterObject } from './objects/cluster-object.ts';
import { createNetworkPolicies } from './objects/network-policies.ts';
import {
  createDeployment,
  createEgressService,
  createProxyRights,
  createProxyService,
} from './objects/proxy-objects.ts';
import { createServerService, createStatefulSet } from './objects/server-objects.ts';
import { FIRST_SERVER_PODS } from './pod-conventions.ts';
import { listProxySecretKeys } from './proxy-secrets.ts';

/** The inputs of a manifest besides the configuration. */
interface ManifestPlace {
  readonly namespace: string;
  readonly proxyImage: string;
  /** The address of the egress Service; undefined where the network is not isolated. */
  readonly egressAddress: string | undefined;
  /** Whether the pods need another user than that of the image. */
  readonly needsUser: boolean;
}

/** A Secret that a manifest refers to, and does not contain. */
interface MissingSecret {
  readonly name: string;
  /** Its keys: variables of the server, or secrets of the proxy. */
  readonly keys: readonly string[];
}

/** The objects of a workload that no home manages. */
export interface Manifest {
  /** In the order in which they are applied. */
  readonly objects: readonly ClusterObject[];
  /** The Secrets of the server and of the proxy, where they have some. */
  readonly secrets: readonly MissingSecret[];
}

/** Whether the objects of a workload need the address of an egress Service. */
export const needsEgressAddress = (config: RunConfig): boolean =>
  createEgressService({ config, namespace: '', homeId: undefined, instance: '' }) !== undefined;

/**
 * Creates the objects that the runtime would create, without values of secrets. The API gives an
 * address to a Service, and pods have no way to learn it as their nameserver: that of the egress
 * Service is fixed. The name of the Service of an HTTP server is enough for the proxy.
 */
export function createManifest(config: RunConfig, place: ManifestPlace): Manifest {
  const { namespace, egressAddress, needsUser } = place;
  const names = getObjectNames(config.name);
  const keys = (config.secrets ?? []).map(({ target }) => target);
  const proxyKeys = listProxySecretKeys(config);
  const parts = {
    ...{ config, namespace, egressAddress, homeId: undefined },
    instance: deriveInstance(config.name, namespace),
    secretVariables: keys,
  };
  const egress = createEgressService(parts);
  const isStdio = config.transport === 'stdio';
  const objects = [
    ...createNetworkPolicies(parts),
    ...createProxyRights(parts),
    egress && withAddress(egress, egressAddress),
    isStdio ? undefined : createServerService(parts),
    createProxyService(parts),
    createStatefulSet({ ...parts, needsUser, replicas: isStdio ? FIRST_SERVER_PODS : 1 }),
    createDeployment({
      ...parts,
      image: place.proxyImage,
      serverAddress: isStdio ? undefined : names.server,
      replicas: 1,
      secretKeys: proxyKeys,
      // The file of certificates is on this machine; the document refers to its Secrets only.
      certificates: undefined,
    }),
  ].filter((object) => object !== undefined);
  return {
    objects: objects.map(({ apiVersion, kind, metadata: { name, ...metadata }, ...rest }) => ({
      ...{ apiVersion, kind, metadata: { name, namespace, ...metadata } },
      ...rest,
    })),
    secrets: [
      { name: names.secret, keys },
      { name: names.proxySecret, keys: proxyKeys },
    ].filter((secret) => secret.keys.length > 0),
  };
}

/** The same export has the same labels, so that a changed manifest can be applied again. */
const deriveInstance = (name: string, namespace: string): string =>
  createHash('sha256').update(`manifest/${namespace}/${name}`).digest('hex').slice(0, 16);

const withAddress = (service: ClusterObject, clusterIP: string | undefined): ClusterObject => ({
  ...service,
  spec: { ...(service['spec'] as object), clusterIP },
});

import { flagError } from '../errors/workload-error.ts';

/** The longest name that leaves room for the suffixes of objects and pods (63 characters). */
const MAX_LENGTH = 40;
const NAME = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

/** The names of the objects of a workload. */
export interface ObjectNames {
  /** Proxy: Deployment, Service, NetworkPolicy, ServiceAccount, Role and RoleBinding. */
  readonly proxy: string;
  /** Server: StatefulSet, Service and NetworkPolicy. */
  readonly server: string;
  /** The Service of the egress part. */
  readonly egress: string;
  readonly secret: string;
  /** The Secret of the clients of the proxy. */
  readonly proxySecret: string;
}

/** Returns the names of the objects of a workload. */
export const getObjectNames = (name: string): ObjectNames => ({
  proxy: name,
  server: `${name}-server`,
  egress: `${name}-egress`,
  secret: `${name}-secrets`,
  proxySecret: `${name}-proxy-secrets`,
});

/** Returns the name of a pod of the server. @param ordinal from 0 */
export const getServerPodName = (name: string, ordinal: number): string => `${getObjectNames(name).server}-${ordinal}`;

/** Requires a name that objects can have. @throws WorkloadError (usage) with a similar name */
export function requireObjectName(name: string): void {
  if (NAME.test(name) && name.length <= MAX_LENGTH) return;
  throw flagError(
    `--name ${name}`,
    `cannot name objects in Kubernetes; give at most ${MAX_LENGTH} lower-case letters, digits and hyphens, a letter first`,
    `--name ${suggest(name)}`,
  );
}

function suggest(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, '');
  return plain === '' ? 'server' : plain;
}

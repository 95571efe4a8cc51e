import { isIP } from 'node:net';

/** The outbound rules of a workload. */
export interface EgressPolicy {
  /** Allows every host and port of the internet. */
  readonly allowAll: boolean;
  /**
   * Patterns in lower case: `example.com` is this host, `.example.com` the host with its
   * subdomains, `*.example.com` its subdomains. An address is itself.
   */
  readonly hosts: readonly string[];
  /** Empty: every port. */
  readonly ports: readonly number[];
  /** Allows the machine of the engine at the gateway addresses, on every port. */
  readonly allowGateway: boolean;
  /** Whether an entry of a registry has the rules: others write it. It opens no private network. */
  readonly isOfRegistry?: boolean;
}

/** A host name or address and a port that a workload wants to reach. */
export interface Destination {
  /** In the form of {@link normalizeHost}. */
  readonly host: string;
  readonly port: number;
}

/** Names that container engines give to their machine. */
export const GATEWAY_NAMES: readonly string[] = [
  'host.docker.internal',
  'gateway.docker.internal',
  'host.containers.internal',
];

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/**
 * Returns a host in the form that rules compare: lower case, without a final dot and brackets, an
 * address in its usual form (`0x7f.1` is 127.0.0.1).
 * @returns undefined for other texts
 */
export function normalizeHost(text: string): string | undefined {
  const bare = text.replace(/\.$/, '');
  const bracketed = isIP(bare) === 6 ? `[${bare}]` : bare;
  if (/[@/?#\\%\s:]/.test(bracketed.replace(/^\[[0-9a-fA-F:.]+\]$/, ''))) return undefined;
  const host = URL.parse(`http://${bracketed}`)?.hostname;
  if (host === undefined) return undefined;
  const name = host.replace(/^\[|\]$/g, '');
  return isIP(name) !== 0 || NAME.test(name) ? name : undefined;
}

/** Whether a pattern of the profile covers a host. */
export function matchesHost(pattern: string, host: string): boolean {
  if (pattern.startsWith('*.')) return host.endsWith(pattern.slice(1));
  if (pattern.startsWith('.')) return host === pattern.slice(1) || host.endsWith(pattern);
  return host === pattern;
}

/** Whether the profile has exactly this host name or address. */
export const namesExactly = ({ hosts }: EgressPolicy, host: string): boolean => hosts.includes(host);

/** Whether the profile allows a host on some port. The DNS filter answers for such names. */
export function allowsHost(policy: EgressPolicy, host: string): boolean {
  if (GATEWAY_NAMES.includes(host)) return policy.allowGateway;
  if (policy.allowAll) return true;
  if (policy.hosts.length === 0) return policy.ports.length > 0;
  return policy.hosts.some((pattern) => matchesHost(pattern, host));
}

/**
 * Decides by name. The addresses of an allowed name are checked afterwards.
 * @returns the rule that refuses the destination; undefined when it is allowed
 */
export function findRefusal(policy: EgressPolicy, { host, port }: Destination): string | undefined {
  if (GATEWAY_NAMES.includes(host))
    return policy.allowGateway ? undefined : 'gateway of the container engine; see --allow-docker-gateway';
  if (policy.allowAll) return undefined;
  if (policy.hosts.length === 0 && policy.ports.length === 0) return 'the permission profile allows no host';
  if (!allowsHost(policy, host)) return 'host is not in allow_host of the permission profile';
  if (policy.ports.length > 0 && !policy.ports.includes(port))
    return 'port is not in allow_port of the permission profile';
  return undefined;
}

/** Returns the exact host names of the profile: those without a wildcard, and no addresses. */
export const listExactNames = ({ hosts }: EgressPolicy): readonly string[] =>
  hosts.filter((host) => !host.startsWith('.') && !host.startsWith('*') && isIP(host) === 0);

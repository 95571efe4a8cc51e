import { flagError } from '../errors/workload-error.ts';
import { canIsolate, createIsolationWarning } from '../flags/isolation.ts';
import { type EgressPolicy, normalizeHost } from '../isolation/egress-policy.ts';
import { getNetworkMode } from './config-values.ts';
import type { RunConfig } from './run-config.ts';

/** The networks of a workload. */
export type NetworkPlan =
  /** An internal network, and an egress part that lets out what the policy allows. */
  | { readonly kind: 'isolated'; readonly policy: EgressPolicy }
  /** A network of its own that reaches the internet. */
  | { readonly kind: 'open' }
  /** `host`, `none`, the network of a container, or a named network. */
  | { readonly kind: 'shared'; readonly mode: string };

/**
 * Plans the networks of a workload.
 * @throws WorkloadError (usage) for a profile whose hosts are not host names, and for published
 * ports of an isolated stdio server
 */
export function planNetwork(config: RunConfig): NetworkPlan {
  const mode = getNetworkMode(config);
  if (mode !== '') return { kind: 'shared', mode };
  if (!config.isolate_network) return { kind: 'open' };
  if (config.transport === 'stdio' && config.publish.length > 0)
    throw flagError(
      `--publish ${config.publish[0]}`,
      'cannot be used with an isolated stdio server, because each of its sessions has a container of its own',
      '--transport streamable-http   when the server listens on a port',
      '--isolate-network=false   publishes the port of one of its containers',
    );
  return { kind: 'isolated', policy: createEgressPolicy(config) };
}

/**
 * Returns the outbound rules of a configuration. A profile without outbound rules allows every host
 * of the internet, as the built-in profile `network` does.
 */
export function createEgressPolicy(config: RunConfig): EgressPolicy {
  const { permission_profile: profile, allow_docker_gateway } = config;
  const outbound = profile?.network?.outbound;
  return {
    allowAll: outbound === undefined || outbound === null || outbound.insecure_allow_all === true,
    hosts: (outbound?.allow_host ?? []).map(normalizePattern),
    ports: outbound?.allow_port ?? [],
    allowGateway: allow_docker_gateway === true,
    ...(isProfileOfRegistry(config) && { isOfRegistry: true }),
  };
}

/** A profile that the user has chosen has a name or a path. */
const isProfileOfRegistry = (config: RunConfig): boolean =>
  Boolean(config.registry_server_name) && !config.permission_profile_name_or_path;

function normalizePattern(text: string): string {
  const [, prefix = '', rest = ''] = /^(\*\.|\.)?(.*)$/s.exec(text.trim()) ?? [];
  const host = normalizeHost(rest);
  if (host !== undefined) return `${prefix}${host}`;
  throw flagError(
    `allow_host ${JSON.stringify(text)} of the permission profile`,
    'is not a host; give a name such as example.com, .example.com with subdomains, *.example.com, or an address',
  );
}

/**
 * Drops the isolation of a stored or exported configuration whose network cannot have it.
 * @param warn receives a sentence about it
 */
export function healIsolation(config: RunConfig, warn: (text: string) => void = () => undefined): RunConfig {
  const mode = getNetworkMode(config);
  if (!config.isolate_network || canIsolate(mode)) return config;
  const warning = createIsolationWarning(undefined, mode);
  if (warning !== undefined) warn(warning);
  return { ...config, isolate_network: false };
}

import { flagError } from '../errors/workload-error.ts';
import type { RequestedProfile } from '../permissions/requested-profile.ts';
import { canPublishPorts, parsePortFlag, parsePublish, type PublishedPort } from './ports.ts';
import type { Source } from './source.ts';
import { findHttpOnlyFlag, parseTransport, type Transport } from './transport.ts';

/** The flags of the network, the ports and the transport as typed. */
export interface NetworkingFlags {
  readonly publish?: readonly string[] | undefined;
  readonly network?: string | undefined;
  readonly permissionProfile?: string | undefined;
  readonly transport?: string | undefined;
  readonly proxyPort?: string | undefined;
  readonly targetHost?: string | undefined;
  readonly targetPort?: string | undefined;
  readonly stateless?: boolean | undefined;
}

/** How the container and its proxy are connected. */
export interface Networking {
  /** Network mode of the engine; undefined: the workload gets its own bridge network. */
  readonly network: string | undefined;
  readonly publish: readonly PublishedPort[];
  readonly proxyPort: number | undefined;
  /** Undefined: the label of the image decides; without one it is streamable-http. */
  readonly transport: Transport | undefined;
}

const NETWORK_MODE = /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/;
const BRIDGES = ['', 'bridge', 'default'];

function parseNetwork(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || BRIDGES.includes(text)) return undefined;
  if (!NETWORK_MODE.test(text))
    throw flagError(`${flag} ${text}`, 'is not a network name; give host, none or the name of a network');
  return text;
}

/** Reads the network mode of the flag, else that of the profile. */
const chooseNetwork = (flags: NetworkingFlags, profile: RequestedProfile | undefined): string | undefined =>
  flags.network === undefined
    ? parseNetwork(
        `--permission-profile ${flags.permissionProfile ?? ''}: network.mode`,
        profile?.profile.network?.mode,
      )
    : parseNetwork('--network', flags.network);

/**
 * Parses the flags that depend on each other: network, ports and transport.
 * @param profile of the flag `--permission-profile`
 * @throws WorkloadError (usage) for invalid values and contradictions
 */
export function parseNetworking(
  flags: NetworkingFlags,
  profile: RequestedProfile | undefined,
  kind: Source['kind'],
): Networking {
  const network = chooseNetwork(flags, profile);
  const publish = parsePublish(flags.publish ?? []);
  const proxyPort = parsePortFlag('--proxy-port', flags.proxyPort);
  if (publish.length > 0 && network !== undefined && !canPublishPorts(network)) {
    throw flagError('--publish', `cannot be used with --network ${network}, which has no ports of its own`);
  }
  if (proxyPort !== undefined && publish.some((spec) => spec.host === proxyPort)) {
    throw flagError(`--proxy-port ${proxyPort}`, 'is also a host port of --publish');
  }
  return { network, publish, proxyPort, transport: chooseTransport(flags, network, kind) };
}

/** Parses the transport, and refuses flags that contradict it. */
function chooseTransport(
  flags: NetworkingFlags,
  network: string | undefined,
  kind: Source['kind'],
): Transport | undefined {
  const transport = parseTransport(flags.transport);
  const httpOnly = findHttpOnlyFlag({
    stateless: flags.stateless ?? false,
    target_host: flags.targetHost,
    target_port: flags.targetPort,
  });
  if (transport === 'stdio' && httpOnly !== undefined) {
    throw flagError(httpOnly, 'is for servers that listen on a port; it has no meaning with --transport stdio');
  }
  if (transport === 'sse' && flags.stateless === true)
    throw flagError('--stateless', 'is for streamable-http servers; it has no meaning with --transport sse');
  if (kind === 'package' && transport === undefined && httpOnly !== undefined) {
    throw flagError(
      httpOnly,
      'is for servers that listen on a port; packages speak stdio by default',
      '--transport streamable-http   if this one does not',
    );
  }
  if (network === 'none' && transport !== undefined && transport !== 'stdio') {
    throw flagError(
      '--network none',
      `leaves no way to reach a server that speaks ${transport}`,
      'use --transport stdio',
    );
  }
  return transport;
}

import { MAX_TRANSPARENT_PORTS } from '../isolation/egress-ports.ts';
import type { PermissionProfile } from './permission-profile.ts';

const OPEN_NETWORK =
  'the network rules of the permission profile are not enforced, because the network is not isolated';
const PRIVILEGED =
  'the permission profile makes the server privileged: it can read and change everything on this machine';
const MANY_PORTS = `allow_port of the permission profile has many ports; programs that do not know the proxy of the isolation reach only the first of them, at most ${MAX_TRANSPARENT_PORTS}`;

/** Returns the sentences about rights that the user has to know before the server starts. */
export function listPermissionWarnings(config: {
  readonly permission_profile: PermissionProfile | null;
  readonly isolate_network: boolean;
}): string[] {
  const { permission_profile: profile, isolate_network: isIsolated } = config;
  const outbound = profile?.network?.outbound;
  const isLimited = outbound !== undefined && outbound !== null && outbound.insecure_allow_all !== true;
  const hasManyPorts = new Set(outbound?.allow_port).size > MAX_TRANSPARENT_PORTS;
  return [
    ...(isLimited && !isIsolated ? [OPEN_NETWORK] : []),
    ...(isLimited && isIsolated && hasManyPorts ? [MANY_PORTS] : []),
    ...(profile?.privileged === true ? [PRIVILEGED] : []),
  ];
}

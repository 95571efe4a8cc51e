import type { RunConfig } from '../configuration/run-config.ts';

/** Returns the sentences about rights that the user has to know before the server starts. */
export function listPermissionWarnings({ permission_profile: profile, isolate_network }: RunConfig): string[] {
  const outbound = profile?.network?.outbound;
  if (!outbound || outbound.insecure_allow_all === true || isolate_network) return [];
  return ['the network rules of the permission profile are not enforced, because the network is not isolated'];
}

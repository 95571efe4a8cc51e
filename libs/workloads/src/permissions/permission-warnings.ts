import type { PermissionProfile } from './permission-profile.ts';

/** Returns the sentences about rights that the user has to know before the server starts. */
export function listPermissionWarnings(config: {
  readonly permission_profile: PermissionProfile | null;
  readonly isolate_network: boolean;
}): string[] {
  const outbound = config.permission_profile?.network?.outbound;
  if (!outbound || outbound.insecure_allow_all === true || config.isolate_network) return [];
  return ['the network rules of the permission profile are not enforced, because the network is not isolated'];
}

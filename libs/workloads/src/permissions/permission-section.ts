import { BUILT_IN_PROFILES, DEFAULT_PROFILE } from './built-in-profiles.ts';
import type { PermissionProfile } from './permission-profile.ts';
import { limitRegistryProfile } from './registry-profile.ts';
import type { RequestedProfile } from './requested-profile.ts';

/** The members of a configuration that hold the permissions of its server. */
interface PermissionSection {
  readonly permission_profile_name_or_path?: string;
  readonly permission_profile: PermissionProfile;
}

/**
 * Creates the permission members of a configuration: the profile of the flag, else that of the
 * registry, else `network`. The network mode of the request wins over that of the profile.
 */
export function createPermissionSection(
  { profile: requested, network }: { profile: RequestedProfile | undefined; network: string | undefined },
  registryProfile: PermissionProfile | undefined,
): PermissionSection {
  const limited = registryProfile && limitRegistryProfile(registryProfile);
  const chosen = requested?.profile ?? limited ?? BUILT_IN_PROFILES.get(DEFAULT_PROFILE);
  const isDefault = requested === undefined && registryProfile === undefined;
  const nameOrPath = requested?.nameOrPath ?? (isDefault ? DEFAULT_PROFILE : undefined);
  return {
    ...(nameOrPath !== undefined && { permission_profile_name_or_path: nameOrPath }),
    permission_profile: { ...chosen, network: { ...chosen?.network, mode: network ?? '' } },
  };
}

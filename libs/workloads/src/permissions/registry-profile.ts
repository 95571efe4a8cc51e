import type { PermissionProfile } from './permission-profile.ts';

/**
 * Returns the profile of an entry of a registry without host paths, without privilege and without
 * names for the proxy of the workload. Others write a registry; only the user gives a server files
 * of this machine, and lets pages of another name reach a server.
 */
export function limitRegistryProfile(profile: PermissionProfile): PermissionProfile {
  const { read: _read, write: _write, privileged: _privileged, network, ...limited } = profile;
  if (network === undefined || network === null) return limited;
  const { inbound: _inbound, ...outward } = network;
  return { ...limited, network: outward };
}

/** Returns one sentence for each host path that an entry of a registry asks for. */
export function describeRegistryMounts(profile: PermissionProfile | undefined): string[] {
  const describe = (path: string, flag: string) =>
    `it asks for the path ${path} of this machine, and does not get it; ${flag} gives it a path`;
  return [
    ...(profile?.read ?? []).map((path) => describe(path, '--volume HOST:CONTAINER:ro')),
    ...(profile?.write ?? []).map((path) => describe(path, '--volume HOST:CONTAINER')),
  ];
}

import type { PermissionProfile } from './permission-profile.ts';

/** The members of each object of a profile. */
const MEMBERS = {
  '': ['name', 'read', 'write', 'network', 'privileged', 'read_only_root'],
  network: ['mode', 'outbound', 'inbound'],
  'network.outbound': ['insecure_allow_all', 'allow_host', 'allow_port'],
  'network.inbound': ['allow_host'],
};

/**
 * Lists the members that a profile has and the format does not, by their paths. They never widen a
 * right. A misspelled limit has no effect either, so the user has to know of it.
 */
export function listUnknownMembers(profile: PermissionProfile): string[] {
  const { network } = profile;
  const objects = { '': profile, network, 'network.outbound': network?.outbound, 'network.inbound': network?.inbound };
  return Object.entries(MEMBERS).flatMap(([path, known]) =>
    Object.keys(objects[path as keyof typeof MEMBERS] ?? {})
      .filter((name) => !known.includes(name))
      .map((name) => (path === '' ? name : `${path}.${name}`)),
  );
}

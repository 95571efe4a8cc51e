import type { PermissionProfile } from './permission-profile.ts';

/** The permission profiles that `--permission-profile` names. */
export const BUILT_IN_PROFILES: ReadonlyMap<string, PermissionProfile> = new Map([
  ['none', { name: 'none', network: { outbound: { insecure_allow_all: false } } }],
  // An earlier name of `none`, which stored command lines have.
  ['stdio', { name: 'none', network: { outbound: { insecure_allow_all: false } } }],
  ['network', { name: 'network', network: { outbound: { insecure_allow_all: true } } }],
]);

/** The name of the profile of a server for which neither a flag nor a registry names one. */
export const DEFAULT_PROFILE = 'network';

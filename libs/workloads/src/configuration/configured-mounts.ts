import { homedir, userInfo } from 'node:os';
import { resolveMounts } from '../mounts/check-mounts.ts';
import type { DeclaredMount } from '../mounts/mount.ts';
import { getMounts } from './config-values.ts';
import type { RunConfig } from './run-config.ts';

/**
 * Resolves the mounts of a configuration. Symbolic links can change, so each start of a container
 * resolves them anew.
 * @param gatehouseHome the folder with the state of Gatehouse
 * @throws WorkloadError (usage) for a mount that is invalid, missing or refused
 */
export function resolveConfiguredMounts(config: RunConfig, gatehouseHome: string): DeclaredMount[] {
  const engineSocket = /^unix:\/\/(\/.+)$/.exec(config.engine)?.[1];
  return resolveMounts(getMounts(config), { userHomes: listUserHomes(), gatehouseHome, engineSocket });
}

/** The home of the environment, and that of the account, which can differ. */
function listUserHomes(): string[] {
  try {
    return [homedir(), userInfo().homedir];
  } catch {
    // A user of a container has no account.
    return [homedir()];
  }
}

import { createOverlayMounts } from '../ignore/empty-entries.ts';
import type { Overlay } from '../ignore/overlays.ts';
import { resolveMounts } from '../mounts/check-mounts.ts';
import { listUserHomes } from '../mounts/user-homes.ts';
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

/**
 * Finds the paths that ignore files hide in the mounts of a configuration.
 * @throws WorkloadError (usage) for a refused mount and for an invalid ignore file
 */
export async function resolveConfiguredOverlays(config: RunConfig, gatehouseHome: string): Promise<Overlay[]> {
  return findOverlays(config, resolveConfiguredMounts(config, gatehouseHome));
}

/**
 * Returns all mounts of a container that starts now: those of its configuration, and the empty ones
 * over the paths that ignore files hide.
 * @throws WorkloadError (usage) for a refused mount and for an invalid ignore file
 */
export async function resolveContainerMounts(config: RunConfig, gatehouseHome: string): Promise<DeclaredMount[]> {
  const mounts = resolveConfiguredMounts(config, gatehouseHome);
  return [...mounts, ...createOverlayMounts(await findOverlays(config, mounts), gatehouseHome)];
}

async function findOverlays(config: RunConfig, mounts: readonly DeclaredMount[]): Promise<Overlay[]> {
  if (mounts.length === 0) return [];
  const { resolveOverlays } = await import('../ignore/overlays.ts');
  return resolveOverlays(mounts, getGlobalIgnoreFile(config));
}

/** The rules of the user apply unless the configuration turns them off. */
const getGlobalIgnoreFile = ({ ignore_config: section }: RunConfig): string | undefined =>
  section?.LoadGlobal === false ? undefined : section?.global_file;

/** Writes the place of the user's ignore file into a configuration, for its supervisor. */
export const withGlobalIgnoreFile = (config: RunConfig, globalFile: string | undefined): RunConfig =>
  globalFile === undefined
    ? config
    : { ...config, ignore_config: { ...config.ignore_config, global_file: globalFile } };

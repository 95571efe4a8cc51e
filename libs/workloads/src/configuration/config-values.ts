import { parseGoDuration } from '../flags/go-duration.ts';
import { parseVolume } from '../flags/mounts.ts';
import type { PublishedPort } from '../flags/ports.ts';
import { mergeMounts } from '../mounts/merge-mounts.ts';
import type { DeclaredMount } from '../mounts/mount.ts';
import { listProfileMounts } from '../permissions/profile-mounts.ts';
import { DEFAULT_LIMITS, type ResourceLimits } from '../flags/resource-limits.ts';
import type { RunConfig } from './run-config.ts';

/**
 * Returns the mounts of a configuration: those of its permission profile and those of `--volume`.
 * @throws WorkloadError (usage) that names the declaration, for one that is invalid
 */
export function getMounts({ volumes, permission_profile: profile }: RunConfig): DeclaredMount[] {
  return mergeMounts(
    listProfileMounts(profile),
    volumes.map((text) => ({ ...parseVolume(text), origin: `--volume ${text}` })),
  );
}

/** Returns the published ports of a configuration. */
export function getPublishedPorts({ publish }: RunConfig): PublishedPort[] {
  return publish.map((spec) => {
    const [first, second] = spec.split(':');
    return second === undefined
      ? { host: undefined, container: Number(first) }
      : { host: Number(first), container: Number(second) };
  });
}

/** Returns the resource limits of a configuration. */
export function getLimits(config: RunConfig): ResourceLimits {
  return {
    memoryBytes: config.memory_limit ?? DEFAULT_LIMITS.memoryBytes,
    cpus: config.cpu_limit ?? DEFAULT_LIMITS.cpus,
    pids: config.pids_limit ?? DEFAULT_LIMITS.pids,
  };
}

/** Returns the network mode of a configuration; empty for a network of its own. */
export function getNetworkMode({ permission_profile: profile }: RunConfig): string {
  const mode = profile?.network?.mode ?? '';
  return mode === 'bridge' || mode === 'default' ? '' : mode;
}

/** Parses a duration field to milliseconds. Empty and zero select the default. */
export function parseMilliseconds(duration: string | undefined, defaultMs: number): number {
  const milliseconds = duration === undefined ? undefined : parseGoDuration(duration);
  return milliseconds === undefined || milliseconds <= 0 ? defaultMs : milliseconds;
}

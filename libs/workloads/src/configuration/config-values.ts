import { parseGoDuration } from '../flags/go-duration.ts';
import type { Mount } from '../flags/mounts.ts';
import type { PublishedPort } from '../flags/ports.ts';
import { DEFAULT_LIMITS, type ResourceLimits } from '../flags/resource-limits.ts';
import type { RunConfig } from './run-config.ts';

/** Returns the mounts of a configuration. */
export function getMounts({ volumes }: RunConfig): Mount[] {
  return volumes.map((volume) => {
    const readOnly = volume.endsWith(':ro');
    const bare = readOnly ? volume.slice(0, -3) : volume;
    const at = bare.lastIndexOf(':');
    return { source: bare.slice(0, at), target: bare.slice(at + 1), readOnly };
  });
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

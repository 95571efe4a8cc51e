import { getLimits } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import type { Engine } from './engine.ts';
import { isUserEngine } from './socket-owner.ts';

/**
 * Warns that an engine ignores the limits of a workload. Rootless Podman does so, without a word in
 * its answers, where the machine has cgroups of version 1.
 */
export async function warnOfIgnoredLimits(
  engine: Engine,
  config: RunConfig,
  warn: (text: string) => void,
): Promise<void> {
  if (!isUserEngine(engine.address) || Object.values(getLimits(config)).every((limit) => limit === 0)) return;
  const { Rootless, CgroupVersion } = (await engine.call('GET', '/info')) as {
    Rootless?: boolean;
    CgroupVersion?: string;
  };
  if (Rootless === true && CgroupVersion === '1')
    warn(
      `the memory, processors and processes of ${config.name} are not limited: ` +
        'rootless Podman needs cgroups of version 2 for --memory, --cpus and --pids-limit',
    );
}

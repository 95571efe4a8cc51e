import { WorkloadError } from '../errors/workload-error.ts';
import { type BuildFlags, parseBuildFlags } from '../flags/build-flags.ts';
import { classifySource, resolveFolder } from '../flags/source.ts';
import type { BuildPlan } from './build-plan.ts';
import { planPackage } from './configured-build.ts';

/**
 * Plans the build of a package on a command line.
 * @param folder against which folders and files are relative
 * @throws WorkloadError (usage)
 */
export async function planRequestedBuild(argument: string, flags: BuildFlags, folder: string): Promise<BuildPlan> {
  const source = resolveFolder(classifySource(argument), folder);
  if (source.kind !== 'package')
    throw new WorkloadError('usage', `'${argument}' is not a package, so there is nothing to build`, [
      'give a package: uvx://NAME, npx://NAME or go://PATH',
    ]);
  return planPackage(source.reference, parseBuildFlags(flags, source.reference.scheme, folder));
}

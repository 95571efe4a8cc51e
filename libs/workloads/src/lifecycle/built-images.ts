import type { BuildPlan } from '../builds/build-plan.ts';
import type { CommandContext, UsedImage } from '../runtime/runtime.ts';
import type { WorkloadStore } from '../state/store.ts';
import type { Runtimes } from './runtimes.ts';

/** Builds the image of a package anew. @returns its name */
export function buildPackage(runtimes: Runtimes, plan: BuildPlan, context: CommandContext): Promise<string> {
  return runtimes.withNew(async (runtime) => {
    await runtime.build(plan, context);
    return plan.image;
  });
}

/** Lists the images that were built from packages, with the workloads that use them. */
export function listUsedImages(runtimes: Runtimes, store: WorkloadStore): Promise<readonly UsedImage[]> {
  return runtimes.withNew(async (runtime) => {
    const users = store.list();
    return (await runtime.listBuiltImages()).map((built) => ({
      ...built,
      workloads: users.filter(({ config }) => config?.image === built.image).map(({ name }) => name),
    }));
  });
}

/** Removes the built images that no workload and no container uses. @returns their names */
export async function pruneImages(runtimes: Runtimes, store: WorkloadStore): Promise<readonly string[]> {
  const unused = (await listUsedImages(runtimes, store)).filter(({ workloads }) => workloads.length === 0);
  return runtimes.withNew(async (runtime) => {
    const removed: string[] = [];
    for (const { image } of unused) if (await runtime.removeImage(image)) removed.push(image);
    return removed;
  });
}

import type { BuildPlan } from '../builds/build-plan.ts';
import { EngineRuntime, type EngineRuntimeParts } from '../engine/engine-runtime.ts';
import { findEngine } from '../engine/engine.ts';
import { inspectImage } from '../engine/containers.ts';
import { publishImage } from '../engine/publish-image.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { splitImageReference } from '../flags/image-reference.ts';
import type { CommandContext } from '../runtime/runtime.ts';
import type { EngineEnvironment } from '../engine/engine-address.ts';

/**
 * Requires the registry to which the image of a package is pushed.
 * @throws WorkloadError (usage) for a package without it
 */
export function requirePackageRegistry({ source }: RunConfig, registry: string | undefined): void {
  if (source === undefined || registry !== undefined) return;
  throw new WorkloadError('usage', `The image of ${source} needs a registry that the cluster can pull from`, [
    'gatehouse settings set kubernetes.registry REGISTRY   builds the image on this machine and pushes it there',
  ]);
}

/**
 * Builds the image of a package on the engine of this machine, unless it has it, and pushes it.
 * @returns its name in the registry
 */
export async function publishPackage(
  plan: BuildPlan,
  registry: string,
  parts: EngineRuntimeParts & { readonly environment: EngineEnvironment },
  context: CommandContext,
): Promise<string> {
  const { environment } = parts;
  const engine = await findEngine(environment);
  try {
    if ((await inspectImage(engine, plan.image)) === undefined)
      await new EngineRuntime(engine, parts).build(plan, context);
    const { name, tag } = splitImageReference(plan.image);
    const target = `${registry}/${name.slice(name.lastIndexOf('/') + 1)}:${tag}`;
    await publishImage({ engine, environment, context }, plan.image, target);
    return target;
  } finally {
    engine.close();
  }
}

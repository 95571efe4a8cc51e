import type { EngineEnvironment } from '../engine/engine-address.ts';
import { type Engine, findEngine } from '../engine/engine.ts';
import { ensureProgramImage } from '../engine/program-image.ts';
import { publishImage } from '../engine/publish-image.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { splitImageReference } from '../flags/image-reference.ts';
import type { CommandContext } from '../runtime/runtime.ts';
import type { KubernetesSettings } from '../flags/cluster-address.ts';

/** The settings and the engine from which the image of a proxy comes. */
export interface ProxyImageParts {
  readonly settings: KubernetesSettings;
  readonly environment: EngineEnvironment;
}

/**
 * Returns the image of the proxy: that of the setting, else the one of this command line, which is
 * built and pushed to the registry of the settings.
 * @throws WorkloadError (usage) without one of both settings
 */
export async function obtainProxyImage(parts: ProxyImageParts, context: CommandContext): Promise<string> {
  const { settings } = parts;
  if (settings.proxyImage !== undefined) return settings.proxyImage;
  if (settings.registry !== undefined) return buildProxyImage(parts, true, context);
  throw new WorkloadError('usage', 'A workload in Kubernetes needs an image of the proxy that the cluster can pull', [
    'gatehouse settings set kubernetes.registry REGISTRY   builds it and pushes it there when it is needed',
    'gatehouse settings set kubernetes.proxy_image IMAGE   names one that the cluster has or can pull',
    'gatehouse image proxy   builds it on this machine',
  ]);
}

/**
 * Builds the image of the proxy from this command line, unless the engine has it.
 * @param pushes whether it is pushed to the registry of the settings
 * @returns its name
 */
export async function buildProxyImage(
  { settings, environment }: ProxyImageParts,
  pushes: boolean,
  context: CommandContext,
): Promise<string> {
  const { registry } = settings;
  if (pushes && registry === undefined)
    throw new WorkloadError('usage', '--push needs the registry', [
      'gatehouse settings set kubernetes.registry REGISTRY',
    ]);
  const engine = await findEngine(environment);
  try {
    const image = await ensureImage(engine, context);
    if (!pushes) return image;
    const target = `${registry ?? ''}/gatehouse-proxy:${splitImageReference(image).tag}`;
    await publishImage({ engine, environment, context }, image, target);
    return target;
  } finally {
    engine.close();
  }
}

const ensureImage = (engine: Engine, { progress, abort }: CommandContext): Promise<string> =>
  ensureProgramImage(
    engine,
    {
      url: import.meta.resolve('@gatehouse/workloads/kubernetes/proxy-pod'),
      repository: 'gatehouse.invalid/proxy',
      purpose: 'the proxy in Kubernetes',
      labels: [],
      tryNext: [],
    },
    progress,
    abort,
  );

import { BUILD_LABEL } from '../builds/build-plan.ts';
import type { BuiltImage } from '../runtime/runtime.ts';
import { ignoreNotFound } from './containers.ts';
import { EngineResponseError, type Engine } from './engine.ts';

/** Lists the images that were built from packages, the newest first. */
export async function listBuiltImages(engine: Engine): Promise<BuiltImage[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [BUILD_LABEL] }));
  const found = (await engine.call('GET', `/images/json?filters=${filters}`)) as {
    RepoTags?: string[] | null;
    Labels?: Record<string, string> | null;
    Size: number;
    Created: number;
  }[];
  return found
    .flatMap(({ RepoTags, Labels, Size, Created }) =>
      (RepoTags ?? []).map((image) => ({
        image,
        source: Labels?.[BUILD_LABEL] ?? '',
        size: Size,
        created_at: new Date(Created * 1_000).toISOString(),
      })),
    )
    .sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
}

/** Removes an image. @returns false when a container uses it */
export async function removeImage(engine: Engine, image: string): Promise<boolean> {
  try {
    await ignoreNotFound(engine.call('DELETE', `/images/${encodeURI(image)}`));
    return true;
  } catch (error) {
    if (error instanceof EngineResponseError && error.status === 409) return false;
    throw error;
  }
}

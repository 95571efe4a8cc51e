import { BUILD_LABEL } from '../builds/build-plan.ts';
import { LAYER_LABEL } from '../builds/dockerfile.ts';
import type { BuiltImage } from '../runtime/runtime.ts';
import { EGRESS_LABEL, ignoreNotFound } from './containers.ts';
import { nameEgressImage } from './egress-image.ts';
import { EngineResponseError, type Engine } from './engine.ts';

/** The source of an image of network isolation, in lists. */
const OLD_EGRESS = 'network isolation of another version';
/** The source of a stage of a finished build, or of a failed build, in lists. */
const STAGE = 'layers of a build';

/**
 * Lists the images that were built from packages, those of network isolation that other versions of
 * the command line have built, and the images without a name that builds leave: the stages of
 * finished builds, which make the next one faster, and the last layers of failed ones. The newest
 * are first.
 */
export async function listBuiltImages(engine: Engine): Promise<BuiltImage[]> {
  const [packages, egress, stages, current] = await Promise.all([
    listImages(engine, BUILD_LABEL, (label) => label),
    listImages(engine, EGRESS_LABEL, () => OLD_EGRESS),
    listImages(engine, LAYER_LABEL, () => STAGE, { dangling: ['true'] }),
    nameEgressImage(engine),
  ]);
  const listed = [...packages, ...egress.filter(({ image }) => image !== current.name)];
  const names = new Set(listed.map(({ image }) => image));
  return [...listed, ...stages.filter(({ image }) => !names.has(image))].sort((one, other) =>
    one.created_at < other.created_at ? 1 : -1,
  );
}

async function listImages(
  engine: Engine,
  label: string,
  describe: (value: string) => string,
  filter: Readonly<Record<string, readonly string[]>> = {},
): Promise<BuiltImage[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [label], ...filter }));
  const found = (await engine.call('GET', `/images/json?filters=${filters}`)) as {
    Id: string;
    RepoTags?: string[] | null;
    Labels?: Record<string, string> | null;
    Size: number;
    Created: number;
  }[];
  return found.flatMap(({ Id, RepoTags, Labels, Size, Created }) =>
    listNames(Id, RepoTags).map((image) => ({
      image,
      source: describe(Labels?.[label] ?? ''),
      size: Size,
      created_at: new Date(Created * 1_000).toISOString(),
    })),
  );
}

/** Returns the names of an image: its id where it has lost its tags. */
function listNames(id: string, tags: readonly string[] | null | undefined): string[] {
  const names = (tags ?? []).filter((tag) => !tag.startsWith('<none>'));
  return names.length === 0 ? [id] : names;
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

import { createHash } from 'node:crypto';
import type { BuildOptions } from '../flags/build-flags.ts';
import { type ContextFile, createRecipe } from './dockerfile.ts';
import type { LocalSource } from './local-source.ts';
import { formatPackageReference, getPackageName, type PackageReference } from '../flags/package-reference.ts';

/** A build: its recipe, its context, and the name of its image. */
export interface BuildPlan {
  /** Contains a hash of everything that the image is made from, so that the same build is found. */
  readonly image: string;
  /** The image that all stages start from. */
  readonly baseImage: string;
  readonly dockerfile: string;
  readonly files: readonly ContextFile[];
  /** Copied into the folder `source` of the context. */
  readonly source?: LocalSource | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** The repository of built images. No registry has this name, so that they are never pulled. */
export const BUILD_REPOSITORY = 'gatehouse.invalid/build';
/** The label of built images: the package as it was typed. */
export const BUILD_LABEL = 'gatehouse-build';

/**
 * Plans the image of a package. Equal packages and options have one image. A package without a
 * version keeps the version of its first build.
 */
export function planBuild(reference: PackageReference, options: BuildOptions, source?: LocalSource): BuildPlan {
  const { dockerfile: template, files } = createRecipe(reference, options);
  const dockerfile = template.replace('"@target@"', JSON.stringify(source?.target ?? '.'));
  const content = JSON.stringify([dockerfile, files, source?.hash ?? null]);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const name =
    getPackageName(reference)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'package';
  return {
    image: `${BUILD_REPOSITORY}/${reference.scheme}-${name.slice(0, 100)}:${hash}`,
    baseImage: options.image,
    dockerfile,
    files,
    source,
    labels: { gatehouse: 'true', [BUILD_LABEL]: formatPackageReference(reference) },
  };
}

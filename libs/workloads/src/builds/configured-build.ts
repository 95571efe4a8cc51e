import type { RunConfig } from '../configuration/run-config.ts';
import { type BuildRequest, DEFAULT_IMAGES } from '../flags/build-flags.ts';
import { readCertificates } from '../flags/certificates.ts';
import type { PackageReference } from '../flags/package-reference.ts';
import { classifySource } from '../flags/source.ts';
import { type BuildPlan, planBuild } from './build-plan.ts';
import { readLocalSource } from './local-source.ts';

/**
 * Plans the image of a configuration whose source is a package.
 * @returns undefined for a configuration of an image
 * @throws WorkloadError (usage) for a source or a certificate that cannot be read
 */
export async function planConfiguredBuild(config: RunConfig): Promise<BuildPlan | undefined> {
  const source = config.source === undefined ? undefined : classifySource(config.source);
  if (source?.kind !== 'package') return undefined;
  const { builder_image, additional_packages, build_with, build_env } = config.runtime_config ?? {};
  return planPackage(source.reference, {
    image: builder_image,
    packages: additional_packages ?? [],
    constraints: build_with ?? [],
    certificateFile: config.ca_cert,
    environment: build_env ?? {},
  });
}

/** Plans the image of a package. A folder must be absolute. @throws WorkloadError (usage) */
export async function planPackage(
  reference: PackageReference,
  { image, packages, constraints, certificateFile, environment }: BuildRequest,
): Promise<BuildPlan> {
  const options = {
    image: image ?? DEFAULT_IMAGES[reference.scheme],
    packages,
    constraints,
    environment,
    certificates: certificateFile && readCertificates(certificateFile, `--ca-cert ${certificateFile}`),
  };
  return planBuild(reference, options, 'path' in reference ? await readLocalSource(reference.path) : undefined);
}

import type { RunConfig } from '../configuration/run-config.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import { readCertificates } from '../flags/certificates.ts';
import { splitImageReference } from '../flags/image-reference.ts';
import type { CommandContext } from '../runtime/runtime.ts';
import { namesSigner } from './provenance.ts';
import type { VerificationSettings } from './verification-settings.ts';

/**
 * Verifies the provenance of the image of a configuration, before anything is pulled or built. With
 * valid provenance the configuration names the image by its digest, so that exactly the verified
 * image runs.
 * @returns the configuration to run
 * @throws WorkloadError (refused) in the mode `enabled` without valid provenance
 */
export async function verifyImage(
  config: RunConfig,
  settings: VerificationSettings,
  context: CommandContext,
): Promise<RunConfig> {
  const mode = config.image_verification ?? settings.defaultMode?.() ?? 'warn';
  if (mode === 'disabled') return config;
  const { image, image_provenance: expected } = config;
  const isPackage = config.source !== undefined;
  if (isPackage || !expected || !namesSigner(expected)) {
    if (mode === 'enabled') throw createRefusal(config, explainMissingClaim(config));
    // An image that a person typed makes no claim that a warning could be about.
    const isOfRegistry = config.registry_server_name !== undefined;
    if (isOfRegistry && !isPackage) context.warn(`${describeImage(config)}: ${explainMissingClaim(config)}`);
    return config;
  }
  context.progress(`verifying ${image}`);
  const bundle = config.thv_ca_bundle;
  const certificates = bundle ? readCertificates(bundle, `--gatehouse-ca-bundle ${bundle}`) : undefined;
  try {
    // Most runs do not need the clients of registries and of Sigstore, which are heavy.
    const { findValidSignature } = await import('./find-signature.ts');
    const digest = await findValidSignature({ image, expected, settings, certificates, abort: context.abort });
    return { ...config, image: `${splitImageReference(image).name}@${digest}` };
  } catch (error) {
    context.abort.throwIfAborted();
    if (mode === 'enabled') throw createRefusal(config, getErrorMessage(error), error);
    context.warn(`${describeImage(config)}: ${getErrorMessage(error)}`);
    return config;
  }
}

const describeImage = ({ image }: RunConfig): string => `the provenance of the image ${image} is not verified`;

function explainMissingClaim({ source, registry_server_name: entry, image_provenance: claim }: RunConfig): string {
  if (source !== undefined) return 'packages have no provenance that can be verified';
  if (entry === undefined && !claim) return 'it is not from an entry of the registry that names its signer';
  return `the entry ${entry ?? ''} of the registry names no signer`;
}

function createRefusal({ image, source }: RunConfig, reason: string, cause?: unknown): WorkloadError {
  return new WorkloadError(
    'refused',
    `${source ?? `The image ${image}`} has no valid provenance (--image-verification enabled): ${reason}`,
    ['--image-verification warn   runs it with a warning, if you trust it'],
    cause,
  );
}

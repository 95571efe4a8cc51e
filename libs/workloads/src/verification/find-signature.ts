import { join } from 'node:path';
import { getErrorMessage } from '../errors/workload-error.ts';
import { splitImageReference } from '../flags/image-reference.ts';
import { getImageRepository } from '../flags/image-repository.ts';
import { findCredentials } from '../registry-credentials/find-credentials.ts';
import { readSignatures, type StoredSignature } from './image-signatures.ts';
import { type ExpectedProvenance, findMismatch } from './provenance.ts';
import { type RegistryDocument, RegistryReader } from './registry-reader.ts';
import { SignatureVerifier } from './signature-verifier.ts';
import { loadTrustedRoot } from './trusted-root.ts';
import type { VerificationSettings } from './verification-settings.ts';

/** The search for a valid signature. */
export interface SignatureSearch {
  readonly image: string;
  readonly expected: ExpectedProvenance;
  readonly settings: VerificationSettings;
  /** Certificates of authorities in PEM for the calls of the registry. */
  readonly certificates: string | undefined;
  readonly abort: AbortSignal;
}

/** Maximum time of all calls of a verification. */
const TIME_LIMIT_MS = 60_000;
/** Signatures whose problems an error names. */
const MAX_PROBLEMS = 3;

/**
 * Finds a valid signature of an image that matches a claim.
 * @returns the digest of the image
 * @throws Error with the problems of its signatures
 */
export async function findValidSignature(search: SignatureSearch): Promise<string> {
  const { image, expected, settings, certificates } = search;
  const abort = AbortSignal.any([search.abort, AbortSignal.timeout(TIME_LIMIT_MS)]);
  const { environment } = settings;
  const credentials = await findCredentials(image, { environment, isPodman: true, abort });
  const reader = new RegistryReader({ repository: getImageRepository(image), credentials, certificates, abort });
  try {
    const manifest = await reader.readManifest(splitImageReference(image).tag);
    if (manifest === undefined) throw new Error('its registry does not have it');
    const { home, trustedRootFile } = settings;
    const place = {
      cacheFolder: join(home, 'sigstore'),
      trustedRootFile: trustedRootFile?.(),
      repository: expected.sigstore_url,
    };
    const verifier = new SignatureVerifier(await loadTrustedRoot(place));
    const problems: string[] = [];
    for await (const signature of readSignatures(reader, manifest.digest)) {
      const problem = findProblem(verifier, signature, manifest, expected);
      if (problem === undefined) return manifest.digest;
      problems.push(problem);
    }
    if (problems.length === 0) throw new Error('its registry has no signature of it');
    throw new Error(`none of its signatures counts: ${[...new Set(problems)].slice(0, MAX_PROBLEMS).join('; ')}`);
  } finally {
    await reader.close();
  }
}

/** @returns undefined for a valid signature that matches the claim */
function findProblem(
  verifier: SignatureVerifier,
  signature: StoredSignature,
  manifest: RegistryDocument,
  expected: ExpectedProvenance,
): string | undefined {
  if (signature.kind === 'unreadable') return signature.problem;
  try {
    return findMismatch(verifier.verify(signature, manifest), expected);
  } catch (error) {
    return getErrorMessage(error);
  }
}

import { isDeepStrictEqual } from 'node:util';

/** The claims of a registry entry about the signature of an image, as registries write them. */
export interface ExpectedProvenance {
  /** The TUF repository of the Sigstore instance; default: the public one. */
  readonly sigstore_url?: string | undefined;
  readonly repository_uri?: string | undefined;
  readonly repository_ref?: string | undefined;
  readonly signer_identity?: string | undefined;
  readonly runner_environment?: string | undefined;
  readonly cert_issuer?: string | undefined;
  readonly attestation?: { readonly predicate_type?: string | undefined; readonly predicate?: unknown } | undefined;
}

/** The facts of a verified signature: those of its certificate and, if any, of its statement. */
export interface SignatureFacts {
  /** Subject alternative name of the certificate. */
  readonly subject: string;
  readonly issuer: string;
  readonly repositoryUri: string | undefined;
  readonly repositoryRef: string | undefined;
  readonly runnerEnvironment: string | undefined;
  readonly predicateType: string | undefined;
  readonly predicate: unknown;
}

/**
 * Whether a claim names a signer. Every identity can sign with the public Sigstore, so a claim
 * without a repository and an identity would accept every signature.
 */
export const namesSigner = ({ repository_uri, signer_identity }: ExpectedProvenance): boolean =>
  Boolean(repository_uri) || Boolean(signer_identity);

/**
 * Compares the facts of a signature with a claim. Every field that the claim has must match.
 * @returns the first difference as a phrase; undefined when all match
 */
export function findMismatch(facts: SignatureFacts, expected: ExpectedProvenance): string | undefined {
  const pairs: readonly (readonly [string, string | undefined, readonly (string | undefined)[]])[] = [
    ['certificate issuer', expected.cert_issuer, [facts.issuer]],
    ['repository', expected.repository_uri, [facts.repositoryUri]],
    ['repository ref', expected.repository_ref, [facts.repositoryRef]],
    ['runner environment', expected.runner_environment, [facts.runnerEnvironment]],
    ['signer', expected.signer_identity, [facts.subject, shortenSubject(facts)]],
    ['predicate type', expected.attestation?.predicate_type, [facts.predicateType]],
  ];
  const wrong = pairs.find(([, wanted, actual]) => wanted && !actual.includes(wanted));
  if (wrong !== undefined) return `its ${wrong[0]} is ${wrong[2].at(-1) ?? 'missing'}, not ${wrong[1] ?? ''}`;
  const predicate = expected.attestation?.predicate;
  if (predicate === undefined || predicate === null || isDeepStrictEqual(predicate, facts.predicate)) return undefined;
  return 'its predicate is another one';
}

/** The path of a workflow in its repository: a subject without repository and ref. */
function shortenSubject({ subject, repositoryUri }: SignatureFacts): string {
  if (repositoryUri === undefined || !subject.startsWith(`${repositoryUri}/`)) return subject;
  return subject.slice(repositoryUri.length).replace(/@[^@]*$/, '');
}

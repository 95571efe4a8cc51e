import { type Bundle, bundleFromJSON } from '@sigstore/bundle';
import type { TrustedRoot } from '@sigstore/protobuf-specs';
import { type Signer, toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import * as z from 'zod/mini';
import { createCosignBundle } from './cosign-bundle.ts';
import type { ReadableSignature } from './image-signatures.ts';
import type { SignatureFacts } from './provenance.ts';

/** The payload of a signature of cosign. */
const SimpleSigning = z.looseObject({
  critical: z.looseObject({
    type: z.literal('cosign container image signature'),
    image: z.looseObject({ 'docker-manifest-digest': z.string() }),
  }),
});
/** A statement of in-toto about artifacts. */
const Statement = z.looseObject({
  _type: z.string().check(z.regex(/^https:\/\/in-toto\.io\/Statement\/v(?:0\.1|1)$/)),
  subject: z.array(z.looseObject({ digest: z.record(z.string(), z.string()) })),
  predicateType: z.string(),
  predicate: z.unknown(),
});
const STATEMENT_TYPE = 'application/vnd.in-toto+json';

/** The extensions of certificates of Fulcio, below 1.3.6.1.4.1.57264.1. */
const EXTENSION = { repositoryOfWorkflow: 5, refOfWorkflow: 6, runner: 11, repository: 12, ref: 14 };
const GITHUB_ISSUER = 'https://token.actions.githubusercontent.com';

/** Verifies signatures against one root of trust. */
export class SignatureVerifier {
  readonly #verifier: Verifier;

  constructor(root: TrustedRoot) {
    // An instance of Sigstore without logs relies on its timestamps. The root says what it has.
    this.#verifier = new Verifier(toTrustMaterial(root), {
      tlogThreshold: root.tlogs.length > 0 ? 1 : 0,
      ctlogThreshold: root.ctlogs.length > 0 ? 1 : 0,
    });
  }

  /**
   * Verifies that a signature is valid and belongs to an image.
   * @param manifest the bytes that the digest of the image names
   * @throws Error with the reason
   */
  verify(stored: ReadableSignature, manifest: { readonly digest: string; readonly bytes: Buffer }): SignatureFacts {
    const json = stored.kind === 'bundle' ? stored.bundle : createCosignBundle(stored);
    const bundle = bundleFromJSON(json);
    if (bundle.verificationMaterial.content.$case === 'publicKey')
      throw new Error('it was made with a key, not with an identity');
    const artifact = stored.kind === 'cosign' ? stored.payload : manifest.bytes;
    const statement = readSubject(bundle, stored, manifest.digest);
    const signer = this.#verifier.verify(toSignedEntity(bundle, artifact));
    return { ...readFacts(signer), predicateType: statement?.predicateType, predicate: statement?.predicate };
  }
}

/**
 * Requires that a signature is about an image.
 * @returns its statement; undefined for a signature without one
 */
function readSubject(
  { content }: Bundle,
  stored: ReadableSignature,
  digest: string,
): z.output<typeof Statement> | undefined {
  if (content.$case === 'dsseEnvelope') {
    const { payloadType, payload } = content.dsseEnvelope;
    if (payloadType !== STATEMENT_TYPE) throw new Error('its statement has an unknown type');
    const statement = Statement.parse(JSON.parse(payload.toString('utf8')));
    if (statement.subject.some((subject) => `sha256:${subject.digest['sha256'] ?? ''}` === digest)) return statement;
    throw new Error('it is the signature of another image');
  }
  // The signature of a bundle covers the manifest itself, and the verifier compares it.
  if (stored.kind === 'bundle') return undefined;
  const { critical } = SimpleSigning.parse(JSON.parse(stored.payload.toString('utf8')));
  if (critical.image['docker-manifest-digest'] === digest) return undefined;
  throw new Error('it is the signature of another image');
}

function readFacts({ identity }: Signer): Omit<SignatureFacts, 'predicateType' | 'predicate'> {
  const issuer = identity?.extensions?.issuer ?? '';
  const read = (number: number): string | undefined => {
    const found = identity?.oids?.find(({ oid }) => oid?.id.join('.') === `1.3.6.1.4.1.57264.1.${number}`);
    return found && decodeText(found.value);
  };
  // Certificates of 2022 have the owner and name of the repository alone.
  const workflow = issuer === GITHUB_ISSUER ? read(EXTENSION.repositoryOfWorkflow) : undefined;
  return {
    subject: identity?.subjectAlternativeName ?? '',
    issuer,
    repositoryUri: read(EXTENSION.repository) ?? (workflow && `https://github.com/${workflow}`),
    repositoryRef: read(EXTENSION.ref) ?? (workflow && read(EXTENSION.refOfWorkflow)),
    runnerEnvironment: read(EXTENSION.runner),
  };
}

/** Newer extensions are UTF8String in DER, older ones the text itself. */
function decodeText(value: Buffer): string {
  if (value[0] !== 0x0c) return value.toString('utf8');
  const first = value[1] ?? 0;
  return value.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f)).toString('utf8');
}

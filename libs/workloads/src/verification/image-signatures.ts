import * as z from 'zod/mini';
import { MAX_DOCUMENT_BYTES, type RegistryReader } from './registry-reader.ts';

/** A signature of an image as a registry has it, which is not verified yet. */
export type StoredSignature = { readonly kind: 'unreadable'; readonly problem: string } | ReadableSignature;

/** A signature that can be verified. */
export type ReadableSignature =
  /** A Sigstore bundle: a signature or an attestation with everything that its check needs. */
  | { readonly kind: 'bundle'; readonly bundle: unknown }
  /** The older form of cosign: a payload, with the rest in annotations. */
  | { readonly kind: 'cosign'; readonly payload: Buffer; readonly annotations: Readonly<Record<string, string>> };

/** The signatures that are looked at. More can only be noise, which must not cost time. */
const MAX_SIGNATURES = 30;
const BUNDLE_TYPE = /^application\/vnd\.dev\.sigstore\.bundle/;
const COSIGN_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/vnd.dev.cosign.simplesigning.v1+json',
  'application/vnd.dsse.envelope.v1+json',
]);

const text = z.optional(z.string());
const annotations = z.optional(z.nullable(z.record(z.string(), z.string())));
const Descriptor = z.looseObject({
  mediaType: text,
  artifactType: text,
  digest: z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/)),
  size: z.number(),
  annotations,
});
const Index = z.looseObject({ manifests: z.optional(z.nullable(z.array(Descriptor))) });
const Manifest = z.looseObject({ layers: z.optional(z.nullable(z.array(Descriptor))) });
type Descriptor = z.output<typeof Descriptor>;

/**
 * Reads the signatures of an image: the bundles that refer to it (by the API of referrers, or the
 * tag that replaces it), and the tags of cosign. One that cannot be read does not hide the others.
 * @param digest of the image
 */
export async function* readSignatures(reader: RegistryReader, digest: string): AsyncGenerator<StoredSignature> {
  const tag = digest.replace(':', '-');
  const referrers = await listReferrers(reader, digest, tag);
  const bundles = referrers.filter(isBundle).slice(0, MAX_SIGNATURES);
  for (const manifest of [...bundles.map((bundle) => bundle.digest), `${tag}.sig`, `${tag}.att`]) {
    try {
      yield* readLayers(reader, manifest);
    } catch (error) {
      yield { kind: 'unreadable', problem: (error as Error).message };
    }
  }
}

const isBundle = ({ artifactType, mediaType, annotations: notes }: Descriptor): boolean =>
  [artifactType, mediaType, notes?.['org.opencontainers.artifactType']].some((type) => BUNDLE_TYPE.test(type ?? '')) ||
  notes?.['dev.sigstore.bundle.content'] !== undefined;

async function listReferrers(reader: RegistryReader, digest: string, tag: string): Promise<Descriptor[]> {
  const bytes = (await reader.readReferrers(digest)) ?? (await reader.readManifest(tag))?.bytes;
  return bytes === undefined ? [] : (Index.parse(JSON.parse(bytes.toString('utf8'))).manifests ?? []);
}

async function* readLayers(reader: RegistryReader, reference: string): AsyncGenerator<StoredSignature> {
  const manifest = await reader.readManifest(reference);
  if (manifest === undefined) return;
  const { layers } = Manifest.parse(JSON.parse(manifest.bytes.toString('utf8')));
  for (const layer of (layers ?? []).slice(0, MAX_SIGNATURES)) {
    if (layer.size > MAX_DOCUMENT_BYTES) throw new Error(`a signature of ${layer.size} bytes is too large`);
    if (BUNDLE_TYPE.test(layer.mediaType ?? '')) {
      const bundle: unknown = JSON.parse((await reader.readBlob(layer.digest)).toString('utf8'));
      yield { kind: 'bundle', bundle };
    } else if (COSIGN_TYPES.has(layer.mediaType)) {
      yield { kind: 'cosign', payload: await reader.readBlob(layer.digest), annotations: layer.annotations ?? {} };
    }
  }
}

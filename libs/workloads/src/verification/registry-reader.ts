import { createHash } from 'node:crypto';
import { type Egress, openEgress } from '@gatehouse/egress/egress';
import { explainDial } from '@gatehouse/egress/explain';
import { getAuthority } from '@gatehouse/egress/target';
import { DOCKER_HUB, type ImageRepository } from '../flags/image-repository.ts';
import type { RegistryCredentials } from '../registry-credentials/find-credentials.ts';
import { authorize, isLoopbackHost } from './registry-sign-in.ts';

/** A document of a registry that was compared with its digest. */
export interface RegistryDocument {
  readonly digest: string;
  readonly bytes: Buffer;
}

/** The access to one repository of a registry. */
export interface RegistryReaderOptions {
  readonly repository: ImageRepository;
  readonly credentials: RegistryCredentials | undefined;
  /** Additional certificates of authorities, PEM. */
  readonly certificates: string | undefined;
  readonly abort: AbortSignal;
}

/** Manifests and bundles are small. A larger one is an attack on the memory. */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** Reads manifests and blobs of one repository by the API of the OCI distribution specification. */
export class RegistryReader {
  readonly #options: RegistryReaderOptions;
  readonly #egress: Egress;
  readonly #base: URL;
  #authorization: string | undefined;

  constructor(options: RegistryReaderOptions) {
    const { host } = options.repository;
    this.#options = options;
    const scheme = isLoopbackHost(host) && options.certificates === undefined ? 'http' : 'https';
    this.#base = new URL(`${scheme}://${host === DOCKER_HUB ? 'registry-1.docker.io' : host}`);
    // The user names this registry, and the engine is about to call it too.
    this.#egress = openEgress(
      { authority: getAuthority(this.#base), allowPrivateIps: true, allowLoopback: true },
      {
        limits: { maxResponseBytes: MAX_DOCUMENT_BYTES, headersTimeoutMs: 10_000, bodyTimeoutMs: 10_000 },
        certificates: options.certificates,
      },
    );
  }

  /**
   * Reads a manifest by tag or digest. Its digest is computed, never taken from a header.
   * @returns undefined when there is none
   * @throws Error for another document than the digest names
   */
  async readManifest(reference: string): Promise<RegistryDocument | undefined> {
    const bytes = await this.#get(`manifests/${reference}`, MANIFESTS);
    if (bytes === undefined) return undefined;
    const digest = computeDigest(bytes);
    if (reference.includes(':') && reference !== digest)
      throw new Error(`the registry returned another manifest than ${reference}`);
    return { digest, bytes };
  }

  /** Reads a blob. @throws Error for a missing blob, and for another one than the digest names */
  async readBlob(digest: string): Promise<Buffer> {
    const bytes = await this.#get(`blobs/${digest}`, '*/*');
    if (bytes === undefined) throw new Error(`the registry does not have the blob ${digest}`);
    if (computeDigest(bytes) !== digest) throw new Error(`the registry returned another blob than ${digest}`);
    return bytes;
  }

  /** Reads the index of the documents that refer to a manifest; undefined without that API. */
  readReferrers(digest: string): Promise<Buffer | undefined> {
    return this.#get(`referrers/${digest}`, MANIFESTS);
  }

  close(): Promise<void> {
    return this.#egress.close();
  }

  async #get(path: string, accept: string): Promise<Buffer | undefined> {
    const { repository, credentials, certificates, abort } = this.#options;
    const url = new URL(`/v2/${repository.path}/${path}`, this.#base);
    const send = async () => {
      const headers = { accept, ...(this.#authorization !== undefined && { authorization: this.#authorization }) };
      try {
        return await this.#egress.fetch(url, { headers, signal: abort });
      } catch (error) {
        const { sentence } = explainDial(error, url);
        throw new Error(`the registry ${repository.host} cannot be read: ${sentence}`, { cause: error });
      }
    };
    let response = await send();
    if (response.status === 401 && this.#authorization === undefined) {
      await response.body?.cancel();
      const challenge = response.headers.get('www-authenticate') ?? '';
      this.#authorization = await authorize({ challenge, base: this.#base, credentials, certificates, abort });
      response = await send();
    }
    if (response.ok) return Buffer.from(await response.arrayBuffer());
    await response.body?.cancel();
    // Registries without the API of referrers answer 404 or 400.
    if (response.status === 404 || (response.status === 400 && path.startsWith('referrers/'))) return undefined;
    throw new Error(`the registry ${repository.host} answered with status ${response.status}`);
  }
}

/** Computes the digest of a document. */
export const computeDigest = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { CosignLayer } from '@gatehouse/testing/sigstore-instance';
import { computeDigest } from './registry-reader.ts';

/** A registry in memory that a test can make dishonest. */
export class MemoryRegistry {
  readonly documents = new Map<string, Buffer>();
  /** Manifests that refer to a digest; undefined: the API of referrers is missing. */
  referrers: object[] | undefined = [];
  /** Replaces the response to a path. */
  override: (path: string, response: ServerResponse) => boolean = () => false;
  readonly requests: string[] = [];
  readonly #server: Server;

  /** @param tls a certificate and its key in PEM; without them it speaks http */
  constructor(tls?: { readonly cert: Buffer; readonly key: Buffer }) {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      const path = (request.url ?? '').replace('/v2/owner/server/', '');
      this.requests.push(path);
      if (this.override(path, response)) return;
      if (path.startsWith('referrers/') && this.referrers !== undefined) {
        response.end(JSON.stringify({ schemaVersion: 2, manifests: this.referrers }));
        return;
      }
      const found = this.documents.get(path.replace(/^(?:manifests|blobs)\//, ''));
      response.writeHead(found === undefined ? 404 : 200).end(found);
    };
    this.#server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get image(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}/owner/server:1`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Stores a document under its digest and, if given, under a tag. */
  add(content: object | Buffer, tag?: string): { digest: string; size: number } {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    const digest = computeDigest(bytes);
    this.documents.set(digest, bytes);
    if (tag !== undefined) this.documents.set(tag, bytes);
    return { digest, size: bytes.length };
  }

  /** Stores a bundle as a manifest that refers to an image. */
  addBundle(bundle: object | Buffer): void {
    const artifactType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
    const manifest = this.add({ artifactType, layers: [{ mediaType: artifactType, ...this.add(bundle) }] });
    (this.referrers ??= []).push({ artifactType, ...manifest });
  }

  /** Stores signatures of cosign under the tag of an image. */
  addCosign(digest: string, ...layers: CosignLayer[]): void {
    const mediaType = 'application/vnd.dev.cosign.simplesigning.v1+json';
    const described = layers.map(({ payload, annotations }) => ({ mediaType, annotations, ...this.add(payload) }));
    this.add({ layers: described }, `${digest.replace(':', '-')}.sig`);
  }
}

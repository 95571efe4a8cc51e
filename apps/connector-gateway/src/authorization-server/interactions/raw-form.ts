import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 16 * 1024;

/**
 * Reads a form of a page of this server.
 * @returns undefined for a form of another site (Fetch Metadata, section 2.1) or of another type
 */
export async function readRawForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const site = request.headers['sec-fetch-site'];
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeign || type !== 'application/x-www-form-urlencoded') return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

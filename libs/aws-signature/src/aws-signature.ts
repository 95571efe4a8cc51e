import { Hash } from '@smithy/hash-node';
import { SignatureV4 } from '@smithy/signature-v4';

/** The keys of an AWS user, or the temporary ones of a role. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary keys. */
  readonly sessionToken?: string;
}

/** The service that a signature is for. */
export interface AwsScope {
  readonly region: string;
  readonly service: string;
}

/** A request before its signature. */
export interface UnsignedRequest {
  readonly url: URL;
  readonly method: string;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly body?: string | Uint8Array;
}

/**
 * Signs a request with AWS Signature Version 4. The signature covers the method, the path, the
 * query, every header so far and the body. The path is encoded once more for the signature, as all
 * services except S3 demand. The hash of the body has no header of its own, which
 * only S3 needs.
 * @returns the headers of the signature
 */
export async function signRequest(
  { url, method, headers, body }: UnsignedRequest,
  keys: AwsKeys,
  { region, service }: AwsScope,
  signingDate: Date,
): Promise<Readonly<Record<string, string>>> {
  const signer = new SignatureV4({
    credentials: keys,
    region,
    service,
    sha256: Hash.bind(null, 'sha256'),
    applyChecksum: false,
  });
  const own = toHeaders(headers);
  const signed = await signer.sign(
    {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: readQuery(url),
      headers: { ...own, host: url.host },
      body,
    },
    { signingDate },
  );
  return Object.fromEntries(Object.entries(signed.headers).filter(([name]) => !(name in own) && name !== 'host'));
}

/** Headers by their names, repeated ones joined as they are sent (RFC 9110, section 5.3). */
function toHeaders(list: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = (list[at] ?? '').toLowerCase();
    const value = list[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function readQuery({ searchParams }: URL): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const [name, value] of searchParams) (query[name] ??= []).push(value);
  return query;
}

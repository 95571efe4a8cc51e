import { X509Certificate } from 'node:crypto';

/** A bundle of all public authorities has fewer certificates. */
const MAX_CERTIFICATES = 200;
const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----\r?\n[A-Za-z0-9+/=\r\n]+-----END \1-----/g;

/**
 * Whether a text contains a private key in PEM format (RFC 7468 §10 and §11, and older labels),
 * also in a comment. All users can read the configuration of clients.
 */
export const containsPrivateKey = (text: string): boolean => /-----BEGIN [^-]*PRIVATE KEY/i.test(text);

/**
 * Finds the first error in a text of CA certificates (RFC 7468 §5): a block of another kind, a
 * certificate that is invalid, or a certificate that is not of an authority. Blank lines and lines
 * that begin with `#` are allowed between certificates.
 * @returns the message; undefined for a valid text
 */
export function findCertificateError(text: string): string | undefined {
  if (containsPrivateKey(text)) return 'must contain only certificates';
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.some(([, label]) => label !== 'CERTIFICATE')) return 'must contain only certificates';
  if (!/^(?:\s|#[^\n]*(?:\n|$))*$/.test(text.replace(BLOCK, '')) || blocks.length === 0)
    return 'must be certificates in PEM format';
  if (blocks.length > MAX_CERTIFICATES) return `must have at most ${MAX_CERTIFICATES} certificates`;
  for (const [at, [pem]] of blocks.entries()) {
    const error = findError(pem);
    if (error !== undefined) return `certificate ${at + 1} ${error}`;
  }
  return undefined;
}

function findError(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).ca ? undefined : 'is not the certificate of a certificate authority';
  } catch {
    return 'is not a valid X.509 certificate';
  }
}

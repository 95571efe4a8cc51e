import { X509Certificate } from 'node:crypto';

/** More than a bundle of public authorities has. */
const MAX_CERTIFICATES = 200;
const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----\r?\n[A-Za-z0-9+/=\r\n]+-----END \1-----/g;

/**
 * Whether a text names a private key in PEM form (RFC 7468 §10 and §11, and older labels), also in
 * a comment: what clients are told, everybody can read.
 */
export const holdsPrivateKey = (text: string): boolean => /-----BEGIN [^-]*PRIVATE KEY/i.test(text);

/**
 * What is wrong with a text that should hold CA certificates (RFC 7468 §5): anything besides
 * certificates, above all a private key; a certificate that does not parse; one that is no
 * authority. Blank lines and lines that begin with `#` may stand between them.
 * @returns undefined for a sound one
 */
export function certificateFault(text: string): string | undefined {
  if (holdsPrivateKey(text)) return 'must hold nothing but certificates';
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.some(([, label]) => label !== 'CERTIFICATE')) return 'must hold nothing but certificates';
  if (!/^(?:\s|#[^\n]*(?:\n|$))*$/.test(text.replace(BLOCK, '')) || blocks.length === 0)
    return 'must be certificates in PEM form';
  if (blocks.length > MAX_CERTIFICATES) return `must hold at most ${MAX_CERTIFICATES} certificates`;
  for (const [at, [pem]] of blocks.entries()) {
    const fault = faultOf(pem);
    if (fault !== undefined) return `certificate ${at + 1} ${fault}`;
  }
  return undefined;
}

function faultOf(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).ca ? undefined : 'is not of a certificate authority';
  } catch {
    return 'cannot be read';
  }
}

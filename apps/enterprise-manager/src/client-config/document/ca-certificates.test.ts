import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { findCertificateError } from './ca-certificates.ts';
import { AUTHORITY, SERVER } from './certificates.fixture.ts';

describe('findCertificateError', () => {
  it.each([
    ['one certificate', AUTHORITY],
    ['several certificates', `${AUTHORITY}${AUTHORITY}`],
    ['Windows line endings', AUTHORITY.replaceAll('\n', '\r\n')],
    ['comments between them', `# Our authority\n\n${AUTHORITY}# end`],
  ])('accepts %s', (_, text) => {
    expect(findCertificateError(text)).toBeUndefined();
  });

  it('refuses a private key anywhere in the text', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const commented = key.replace(/^(?=.)/gm, '# ');
    for (const text of [key, AUTHORITY + key, key + AUTHORITY, AUTHORITY + commented, commented + AUTHORITY])
      expect(findCertificateError(text)).toBe('must contain only certificates');
  });

  it('refuses other data after a certificate in the same block', () => {
    const raw = Buffer.from(AUTHORITY.replace(/-----[^-]+-----/g, ''), 'base64');
    const longer = Buffer.concat([raw, Buffer.from('a private key')]).toString('base64');
    const text = `-----BEGIN CERTIFICATE-----\n${longer.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`;
    expect(findCertificateError(text)).toBe('certificate 1 is not a valid X.509 certificate');
  });

  it.each([
    ['without PEM', 'certificate', 'must be certificates in PEM format'],
    ['of blanks', '   ', 'must be certificates in PEM format'],
    ['with other lines at the end', `${AUTHORITY}and more`, 'must be certificates in PEM format'],
    ['without its end', AUTHORITY.slice(0, -40), 'must be certificates in PEM format'],
    ['of a server certificate', SERVER, 'certificate 1 is not the certificate of a certificate authority'],
    [
      'with a damaged second certificate',
      AUTHORITY + AUTHORITY.replace('MIIB', 'MIIA'),
      'certificate 2 is not a valid X.509 certificate',
    ],
    ['with too many certificates', AUTHORITY.repeat(201), 'must have at most 200 certificates'],
  ])('refuses a text %s', (_, text, message) => {
    expect(findCertificateError(text)).toBe(message);
  });
});

import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { certificateFault } from './ca-certificates.ts';
import { AUTHORITY, SERVER } from './certificates.fixture.ts';

describe('CA certificates', () => {
  it.each([
    ['one', AUTHORITY],
    ['several', `${AUTHORITY}${AUTHORITY}`],
    ['lines that end as on Windows', AUTHORITY.replaceAll('\n', '\r\n')],
    ['comments between them', `# Our authority\n\n${AUTHORITY}# end`],
  ])('may be %s', (_, text) => {
    expect(certificateFault(text)).toBeUndefined();
  });

  it('are nothing with a private key in it', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const commented = key.replace(/^(?=.)/gm, '# ');
    for (const text of [key, AUTHORITY + key, key + AUTHORITY, AUTHORITY + commented, commented + AUTHORITY])
      expect(certificateFault(text)).toBe('must hold nothing but certificates');
  });

  it('hide nothing behind a certificate in its own block', () => {
    const raw = Buffer.from(AUTHORITY.replace(/-----[^-]+-----/g, ''), 'base64');
    const longer = Buffer.concat([raw, Buffer.from('a private key')]).toString('base64');
    const text = `-----BEGIN CERTIFICATE-----\n${longer.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`;
    expect(certificateFault(text)).toBe('certificate 1 cannot be read');
  });

  it.each([
    ['no PEM', 'certificate', 'must be certificates in PEM form'],
    ['empty', '   ', 'must be certificates in PEM form'],
    ['followed by text', `${AUTHORITY}and more`, 'must be certificates in PEM form'],
    ['cut off', AUTHORITY.slice(0, -40), 'must be certificates in PEM form'],
    ['of a server', SERVER, 'certificate 1 is not of a certificate authority'],
    ['damaged in the second one', AUTHORITY + AUTHORITY.replace('MIIB', 'MIIA'), 'certificate 2 cannot be read'],
    ['too many', AUTHORITY.repeat(201), 'must hold at most 200 certificates'],
  ])('are refused when they are %s', (_, text, fault) => {
    expect(certificateFault(text)).toBe(fault);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseOwnerRef, getOwnerRef } from './owner-ref.ts';

const issuers = [
  { id: 'main', issuer: 'https://login.example.com' },
  { id: 'partners', issuer: 'https://partners.example.com' },
];

describe('getOwnerRef and parseOwnerRef', () => {
  it('use the subject for the first issuer, and the issuer id as a prefix for others', () => {
    expect(getOwnerRef(issuers, { issuer: 'https://login.example.com', subject: 'alice' })).toBe('alice');
    expect(getOwnerRef(issuers, { issuer: 'https://partners.example.com', subject: 'alice' })).toBe('partners/alice');
  });

  it('add the prefix to a subject that begins with an issuer id', () => {
    const alike = getOwnerRef(issuers, { issuer: 'https://login.example.com', subject: 'partners/alice' });
    expect(alike).toBe('main/partners/alice');
    expect(parseOwnerRef(issuers, alike)).toEqual({ issuer: 'https://login.example.com', subject: 'partners/alice' });
  });

  it('return the same user for every subject', () => {
    const subject = fc.oneof(
      fc.string(),
      fc.string().map((text) => `main/${text}`),
      fc.string().map((text) => `partners/${text}`),
    );
    const person = fc.record({ issuer: fc.constantFrom(...issuers.map(({ issuer }) => issuer)), subject });
    fc.assert(fc.property(person, (one) => expect(parseOwnerRef(issuers, getOwnerRef(issuers, one))).toEqual(one)));
  });
});

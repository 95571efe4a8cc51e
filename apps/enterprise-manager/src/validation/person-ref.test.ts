import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { personNamed, personRef } from './person-ref.ts';

const issuers = [
  { id: 'main', issuer: 'https://login.example.com' },
  { id: 'partners', issuer: 'https://partners.example.com' },
];

describe('the name of a person in reports', () => {
  it('is the subject for the first issuer and has the issuer in front for others', () => {
    expect(personRef(issuers, { issuer: 'https://login.example.com', subject: 'alice' })).toBe('alice');
    expect(personRef(issuers, { issuer: 'https://partners.example.com', subject: 'alice' })).toBe('partners/alice');
  });

  it('is not another person’s when a subject is written like one', () => {
    const alike = personRef(issuers, { issuer: 'https://login.example.com', subject: 'partners/alice' });
    expect(alike).toBe('main/partners/alice');
    expect(personNamed(issuers, alike)).toEqual({ issuer: 'https://login.example.com', subject: 'partners/alice' });
  });

  it('names one person only, whatever the subjects are', () => {
    const subject = fc.oneof(
      fc.string(),
      fc.string().map((text) => `main/${text}`),
      fc.string().map((text) => `partners/${text}`),
    );
    const person = fc.record({ issuer: fc.constantFrom(...issuers.map(({ issuer }) => issuer)), subject });
    fc.assert(fc.property(person, (one) => expect(personNamed(issuers, personRef(issuers, one))).toEqual(one)));
  });
});

import { describe, expect, it } from '@jest/globals';
import { InactivePeople } from './inactive-people.ts';

const ISSUER = 'https://id.example.test';
const token = (subject: string, claims: Record<string, unknown> = {}, issuer = ISSUER) => ({ issuer, subject, claims });
const binding = (binding_key: string, active: boolean, claim = 'email') => ({
  issuer: ISSUER,
  claim,
  binding_key,
  active,
});

describe('InactivePeople', () => {
  it('finds users by issuer and subject', () => {
    const inactive = new InactivePeople();
    inactive.apply({ people: [{ issuer: ISSUER, subject: 'alice', active: false }], bindings: [] });
    expect(inactive.has(token('alice'))).toBe(true);
    expect(inactive.has(token('bob'))).toBe(false);
    expect(inactive.has(token('alice', {}, 'https://other.example.test'))).toBe(false);
    inactive.apply({ people: [{ issuer: ISSUER, subject: 'alice', active: true }], bindings: [] });
    expect(inactive.has(token('alice'))).toBe(false);
  });

  it('finds users before their first sign-in by the binding claim of their issuer', () => {
    const inactive = new InactivePeople();
    inactive.apply({ people: [], bindings: [binding('ann@x.example', false)] });
    expect(inactive.has(token('s-1', { email: 'Ann@X.example' }))).toBe(true);
    expect(inactive.has(token('s-1', { email: 'Ann@X.example', email_verified: false }))).toBe(false);
    expect(inactive.has(token('s-1', { email: 'ben@x.example' }))).toBe(false);
    expect(inactive.has(token('s-1', { upn: 'ann@x.example' }))).toBe(false);
    expect(inactive.has(token('s-1', { email: 'ann@x.example' }, 'https://other.example.test'))).toBe(false);
    inactive.apply({ people: [], bindings: [binding('ann@x.example', true)] });
    expect(inactive.has(token('s-1', { email: 'ann@x.example' }))).toBe(false);
  });

  it('ignores the claim sub as a binding claim', () => {
    const inactive = new InactivePeople();
    inactive.apply({ people: [], bindings: [binding('alice', false, 'sub')] });
    expect(inactive.has(token('alice', { sub: 'alice' }))).toBe(false);
  });
});

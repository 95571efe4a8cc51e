import { describe, expect, it } from '@jest/globals';
import { bindingValueOf } from './binding-claim.ts';

describe('bindingValueOf', () => {
  it('finds a claim by its name or path', () => {
    expect(bindingValueOf({ oid: 'x-1' }, 'oid')).toBe('x-1');
    expect(bindingValueOf({ person: { id: 'x-2' } }, 'person.id')).toBe('x-2');
    expect(bindingValueOf({ 'https://x.example/id': 'x-3' }, 'https://x.example/id')).toBe('x-3');
  });

  it.each([[{}], [{ oid: '' }], [{ oid: 7 }], [{ oid: ['x'] }], [{ oid: null }]])(
    'returns undefined for %j',
    (claims) => {
      expect(bindingValueOf(claims, 'oid')).toBeUndefined();
      expect(bindingValueOf(claims, 'constructor.name')).toBeUndefined();
    },
  );

  it.each([
    [{ email: 'a@x.example' }, 'a@x.example'],
    [{ email: 'a@x.example', email_verified: true }, 'a@x.example'],
    [{ email: 'a@x.example', email_verified: false }, undefined],
    [{ email: 'a@x.example', email_verified: 'true' }, 'a@x.example'],
    ...['false', 'False', 'no', '', 0, 1, null, [true], {}].map(
      (email_verified) => [{ email: 'a@x.example', email_verified }, undefined] as const,
    ),
  ])('returns an email only when the issuer trusts it: %j', (claims, expected) => {
    expect(bindingValueOf(claims, 'email')).toBe(expected);
  });

  it.each(['a\u0000', 'a\nb', '\u0085', 'a\ud800', 'x'.repeat(1_025), 'ü'.repeat(513)])(
    'returns undefined for a value that no directory stores: %j',
    (oid) => {
      expect(bindingValueOf({ oid }, 'oid')).toBeUndefined();
    },
  );

  it('returns a value of 1,024 bytes', () => {
    expect(bindingValueOf({ oid: 'x'.repeat(1_024) }, 'oid')).toHaveLength(1_024);
  });
});

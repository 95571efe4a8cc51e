import { describe, expect, it } from '@jest/globals';
import { getBindingValue } from './binding-claim.ts';

describe('getBindingValue', () => {
  it('finds a claim by its name or path', () => {
    expect(getBindingValue({ oid: 'x-1' }, 'oid')).toBe('x-1');
    expect(getBindingValue({ person: { id: 'x-2' } }, 'person.id')).toBe('x-2');
    expect(getBindingValue({ 'https://x.example/id': 'x-3' }, 'https://x.example/id')).toBe('x-3');
  });

  it.each([[{}], [{ oid: '' }], [{ oid: 7 }], [{ oid: ['x'] }], [{ oid: null }]])(
    'returns undefined for %j',
    (claims) => {
      expect(getBindingValue(claims, 'oid')).toBeUndefined();
      expect(getBindingValue(claims, 'constructor.name')).toBeUndefined();
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
    expect(getBindingValue(claims, 'email')).toBe(expected);
  });

  it.each(['a\u0000', 'a\nb', '\u0085', 'a\ud800', 'x'.repeat(1_025), 'ü'.repeat(513)])(
    'returns undefined for a value that no directory stores: %j',
    (oid) => {
      expect(getBindingValue({ oid }, 'oid')).toBeUndefined();
    },
  );

  it('returns a value of 1,024 bytes', () => {
    expect(getBindingValue({ oid: 'x'.repeat(1_024) }, 'oid')).toHaveLength(1_024);
  });
});

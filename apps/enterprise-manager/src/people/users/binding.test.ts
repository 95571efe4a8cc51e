import { describe, expect, it } from '@jest/globals';
import { deriveBindingKey } from '@gatehouse/auth/binding-claim';
import { computeBinding } from './binding.ts';

const identity = {
  userName: 'Alice@Corp.example',
  externalId: 'AbC-1',
  emails: [{ value: 'old@corp.example' }, { value: 'Alice.Smith@Corp.example', primary: true }],
};

describe('the binding of a provisioned user', () => {
  it('sets the subject unchanged when the claim is sub', () => {
    expect(computeBinding({ claim: 'sub', attribute: 'externalId' }, identity)).toEqual({
      binding_key: 'AbC-1',
      subject: 'AbC-1',
    });
  });

  it('sets no subject for any other claim', () => {
    expect(computeBinding({ claim: 'oid', attribute: 'externalId' }, identity)).toEqual({ binding_key: 'AbC-1' });
  });

  it('uses the primary address, otherwise the first address', () => {
    const rule = { claim: 'email', attribute: 'emails' } as const;
    expect(computeBinding(rule, identity)).toEqual({ binding_key: 'alice.smith@corp.example' });
    expect(computeBinding(rule, { emails: [{ value: 'One@x.example' }, { value: 'two@x.example' }] })).toEqual({
      binding_key: 'one@x.example',
    });
  });

  it.each([
    ['userName', { userName: '' }],
    ['externalId', { externalId: null }],
    ['emails', { emails: [] }],
    ['emails', { emails: [{ primary: true }] }],
    ['emails', {}],
  ] as const)('has no key without a value of %s', (attribute, identityWithoutValue) => {
    expect(computeBinding({ claim: 'email', attribute }, identityWithoutValue)).toEqual({ binding_key: null });
    expect(computeBinding({ claim: 'sub', attribute }, identityWithoutValue)).toEqual({ binding_key: null });
  });

  it('ignores the case of ASCII letters in addresses, but no other difference', () => {
    expect(deriveBindingKey('email', 'MIKE@x.example')).toBe('mike@x.example');
    // The Kelvin sign, a fullwidth letter, a dotless i and a space differ from the letters that
    // they resemble.
    for (const other of ['mi\u212ae@x.example', '\uff4dike@x.example', 'm\u0131ke@x.example', ' mike@x.example'])
      expect(deriveBindingKey('email', other)).not.toBe('mike@x.example');
    expect(deriveBindingKey('oid', 'ABC')).toBe('ABC');
  });

  it.each(['a\u0000b', 'a\nb', 'a\ud800'])('has no key for text that Postgres cannot store: %j', (value) => {
    expect(deriveBindingKey('oid', value)).toBeUndefined();
  });

  it('has no key for a value that is too long, instead of a truncated key', () => {
    expect(deriveBindingKey('oid', 'x'.repeat(1_024))).toHaveLength(1_024);
    expect(deriveBindingKey('oid', 'x'.repeat(1_025))).toBeUndefined();
    expect(computeBinding({ claim: 'sub', attribute: 'externalId' }, { externalId: 'ü'.repeat(513) })).toEqual({
      binding_key: null,
    });
  });
});

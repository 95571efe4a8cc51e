import { describe, expect, it } from '@jest/globals';
import { bindingKey } from '@gatehouse/auth/binding-claim';
import { bindingOf } from './binding.ts';

const identity = {
  userName: 'Alice@Corp.example',
  externalId: 'AbC-1',
  emails: [{ value: 'old@corp.example' }, { value: 'Alice.Smith@Corp.example', primary: true }],
};

describe('what binds a provisioned person to their tokens', () => {
  it('is the subject itself where the claim is sub, exactly as it was sent', () => {
    expect(bindingOf({ claim: 'sub', attribute: 'externalId' }, identity)).toEqual({
      binding_key: 'AbC-1',
      subject: 'AbC-1',
    });
  });

  it('leaves the subject open for any other claim', () => {
    expect(bindingOf({ claim: 'oid', attribute: 'externalId' }, identity)).toEqual({ binding_key: 'AbC-1' });
  });

  it('is the primary address, else the first', () => {
    const rule = { claim: 'email', attribute: 'emails' } as const;
    expect(bindingOf(rule, identity)).toEqual({ binding_key: 'alice.smith@corp.example' });
    expect(bindingOf(rule, { emails: [{ value: 'One@x.example' }, { value: 'two@x.example' }] })).toEqual({
      binding_key: 'one@x.example',
    });
  });

  it.each([
    ['userName', { userName: '' }],
    ['externalId', { externalId: null }],
    ['emails', { emails: [] }],
    ['emails', { emails: [{ primary: true }] }],
    ['emails', {}],
  ] as const)('is nothing without %s', (attribute, nothing) => {
    expect(bindingOf({ claim: 'email', attribute }, nothing)).toEqual({ binding_key: null });
    expect(bindingOf({ claim: 'sub', attribute }, nothing)).toEqual({ binding_key: null });
  });

  it('forgives the case of ASCII letters in addresses, and nothing that merely looks alike', () => {
    expect(bindingKey('email', 'MIKE@x.example')).toBe('mike@x.example');
    // The Kelvin sign, a fullwidth letter, a dotless i and a blank are other characters than those
    // that they fold to.
    for (const other of ['mi\u212ae@x.example', '\uff4dike@x.example', 'm\u0131ke@x.example', ' mike@x.example'])
      expect(bindingKey('email', other)).not.toBe('mike@x.example');
    expect(bindingKey('oid', 'ABC')).toBe('ABC');
  });

  it.each(['a\u0000b', 'a\nb', 'a\ud800'])('is nothing that no database or nobody could mean: %j', (value) => {
    expect(bindingKey('oid', value)).toBeUndefined();
  });

  it('is not cut: what is too long binds nobody', () => {
    expect(bindingKey('oid', 'x'.repeat(1_024))).toHaveLength(1_024);
    expect(bindingKey('oid', 'x'.repeat(1_025))).toBeUndefined();
    expect(bindingOf({ claim: 'sub', attribute: 'externalId' }, { externalId: 'ü'.repeat(513) })).toEqual({
      binding_key: null,
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { effort, seed } from '@gatehouse/testing/effort';
import { SecretReference } from './secret-reference.ts';

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
  .filter((text) => !/[,\p{Cc}\u2028\u2029]/u.test(text) && text.trim() === text);
const target = fc.string({ minLength: 1 }).filter((text) => !/[=\s\p{Cc}]/u.test(text));

const parseProblem = (text: string, origin?: string): unknown => {
  try {
    return SecretReference.parse(text, origin);
  } catch (error) {
    return error;
  }
};

describe('SecretReference', () => {
  it('reads what it writes', () => {
    fc.assert(
      fc.property(name, target, (secret, variable) => {
        const reference = SecretReference.parse(`${secret},target=${variable}`);
        expect([reference.name, reference.target]).toEqual([secret, variable]);
        expect(SecretReference.parse(reference.toString())).toEqual(reference);
        expect(JSON.stringify([reference])).toBe(JSON.stringify([`${secret},target=${variable}`]));
      }),
      { seed, numRuns: 200 * effort },
    );
  });

  it('reads a text of any form or refuses it with a usage error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parsed = parseProblem(text);
        if (parsed instanceof SecretReference) expect(parsed.toString()).toBe(text);
        else expect(parsed).toMatchObject({ code: 'invalid_secret_reference', expose: true });
      }),
      { seed, numRuns: 500 * effort },
    );
  });

  it('reads a name of 1Password with blanks, and a target with a comma', () => {
    expect(SecretReference.parse('op://My Vault/Git Hub/token,target=A,B')).toMatchObject({
      name: 'op://My Vault/Git Hub/token',
      target: 'A,B',
    });
  });

  it.each([
    ['github-token', '--secret is not in the form NAME,target=TARGET'],
    ['a,target', '--secret is not in the form NAME,target=TARGET'],
    [',target=A', '--secret ",target=A" has an empty name'],
    ['a,target=', '--secret "a,target=" has an empty target'],
    ['a,target=B=C', '--secret "a,target=B=C" has an = in its target, which is the name of an environment variable'],
    ['a,target=B C', '--secret "a,target=B C" has a blank or control character in its target'],
    [
      '__gatehouse_x,target=A',
      '--secret "__gatehouse_x,target=A" has a name that begins with __gatehouse_, which is reserved for Gatehouse itself',
    ],
    [
      '__thv_x,target=A',
      '--secret "__thv_x,target=A" has a name that begins with __thv_, which is reserved for Gatehouse itself',
    ],
  ])('refuses %j with the flag and the reason', (text, message) => {
    expect(parseProblem(text)).toMatchObject({ message, tryNext: ['--secret github-token,target=GITHUB_TOKEN'] });
  });

  it('does not repeat a text that may be a value', () => {
    expect(String(parseProblem('ghp_canary'))).not.toContain('canary');
  });

  it('names the field of a file instead of the flag', () => {
    expect(String(parseProblem('a', 'secrets[2]'))).toContain('secrets[2] is not in the form');
  });
});

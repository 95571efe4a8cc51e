import { describe, expect, it } from '@jest/globals';
import { STANDARD_CLAIMS } from './claims.ts';
import { decide } from './decide.ts';
import { DocumentError, examineDocument, parseDocument } from './document.ts';
import { compileGrants, formatGrant, MAX_GRANTS, removeGrants } from './grants.ts';
import { MAX_DEPTH, MAX_DOCUMENT_BYTES, MAX_MATCHED_CHARACTERS, MAX_PATTERNS, MAX_POLICIES } from './limits.ts';
import { preparePolicySet } from './policy-set.ts';

const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';
const PERMIT = 'permit(principal, action, resource);';
const groupId = (n: number) => `c0ffee00-0000-7000-8000-${String(n).padStart(12, '0')}`;
const person = { userId: 'u', groupIds: new Set<string>(), claims: {} };
const refusal = (text: string): string => {
  try {
    parseDocument(text);
  } catch (error) {
    if (error instanceof DocumentError) return error.message;
    throw error;
  }
  return '';
};
/** Whether the engine still decides. */
const isEngineHealthy = () =>
  decide(preparePolicySet(CONNECTOR, PERMIT, STANDARD_CLAIMS), person, { action: 'connect' }).allowed;

/** Expressions that grow with n in every way in which Cedar recurses. */
const DEEP: Record<string, (n: number) => string> = {
  parentheses: (n) => `${'('.repeat(n)}true${')'.repeat(n)}`,
  negations: (n) => `${'!('.repeat(n)}true${')'.repeat(n)}`,
  conjunctions: (n) => `true${' && true'.repeat(n)}`,
  alternatives: (n) => `principal == principal${' || principal == principal'.repeat(n)}`,
  conditions: (n) => `${'if principal == principal then '.repeat(n)}true${' else false'.repeat(n)}`,
  'other conditions': (n) => `${'if principal == principal then true else '.repeat(n)}true`,
  sets: (n) => `${'['.repeat(n)}1${']'.repeat(n)} == ${'['.repeat(n)}1${']'.repeat(n)}`,
  records: (n) => `${'{a: '.repeat(n)}1${'}'.repeat(n)} == ${'{a: '.repeat(n)}1${'}'.repeat(n)}`,
  sums: (n) => `1${' + 1'.repeat(n)} == 1`,
  products: (n) => `1${' * 1'.repeat(n)} == 1`,
  fields: (n) => `${'{a: '.repeat(n)}1${'}'.repeat(n)}${'.a'.repeat(n)} == 1`,
  methods: (n) => `[1]${'.containsAll([1])'.repeat(n)}`,
  arguments: (n) => `${'[true].contains('.repeat(n)}true${')'.repeat(n)}`,
  indexes: (n) => `principal${'["a"]'.repeat(n)} == 1`,
  'sets in alternatives': (n) => `${'principal == principal || [true].contains('.repeat(n)}true${')'.repeat(n)}`,
  'alternatives before sets': (n) => `${'('.repeat(n)}true${' || principal == principal)'.repeat(n)}`,
  'hidden by a comment that \\r ends': (n) => `// \r ${'('.repeat(n)}true${')'.repeat(n)}\n`,
  'between strings': (n) => `"//" == "\\"(" || ${'('.repeat(n)}true${')'.repeat(n)}`,
};
const policy = (expression: string) => `permit(principal, action, resource) when { ${expression} };`;

describe('an expression', () => {
  it.each(Object.keys(DEEP))('does not crash the engine with nested %s, or is refused before', (kind) => {
    const make = DEEP[kind] as (n: number) => string;
    let refused = false;
    for (const n of [1, 2, 4, 7, 10, 15, 20, 25, 30, 31, 32, 40, 50, 62, 63, 64, 100, 500, 5_000, 60_000]) {
      const text = policy(make(n)).slice(0, MAX_DOCUMENT_BYTES);
      const { faults } = examineDocument(text, CONNECTOR, STANDARD_CLAIMS);
      const messages = faults.map(({ message }) => message).join();
      expect(messages).not.toContain('crashed');
      if (messages.includes('nested deeper')) refused = true;
      else if (n > 5_000) expect(messages).not.toBe('');
      try {
        const { errors } = decide(preparePolicySet(CONNECTOR, text, STANDARD_CLAIMS), person, { action: 'connect' });
        expect(errors.join()).not.toContain('crashed');
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentError);
      }
    }
    expect(refused).toBe(true);
    expect(isEngineHealthy()).toBe(true);
  });

  it('is accepted with lists, alternatives and guards of usual length', () => {
    const list = Array.from({ length: 500 }, (_, n) => `"user${n}@example.com"`).join(', ');
    const alternatives = Array.from({ length: 40 }, (_, n) => `principal.claim_email == "a${n}"`).join(' || ');
    for (const expression of [
      `principal has claim_email && [${list}].contains(principal.claim_email)`,
      `principal has claim_email && (${alternatives})`,
      `principal in [${Array.from({ length: 200 }, (_, n) => `Group::"${n}"`).join(', ')}]`,
    ])
      expect(examineDocument(policy(expression), CONNECTOR, STANDARD_CLAIMS).faults).toEqual([]);
  });

  it('is refused with the position of its policy', () => {
    expect(refusal(`${PERMIT}\n  ${policy(DEEP['parentheses']!(MAX_DEPTH))}`)).toMatch(
      /^line 2, column 3: the policy is/,
    );
  });
});

describe('a document', () => {
  it('is refused with 1 MiB of text, or with 10,000 policies', () => {
    expect(refusal(`// ${'x'.repeat(1024 * 1024)}\n${PERMIT}`)).toMatch(
      /bytes without compiled grants, more than 65536/,
    );
    expect(refusal(`permit(principal,action,resource);`.repeat(10_000))).toMatch(/bytes without compiled grants/);
    expect(refusal('permit(principal,action,resource);'.repeat(MAX_POLICIES + 1))).toMatch(
      /^line 1, column \d+: the document holds more than 250 policies/,
    );
    expect(refusal(`${PERMIT}\n`.repeat(MAX_POLICIES).replaceAll(PERMIT, () => PERMIT))).toBe('');
  });

  it('may grant a thousand groups and contain other policies', () => {
    const ids = Array.from({ length: MAX_GRANTS }, (_, n) => groupId(n));
    const text = `${compileGrants(CONNECTOR, ids)}\n@id("no") forbid(principal, action, resource);`;
    expect(parseDocument(text).size).toBe(MAX_GRANTS + 1);
    expect(refusal(compileGrants(CONNECTOR, [...ids, groupId(MAX_GRANTS)]))).toMatch(/grants more than 1000 groups/);
  }, 60_000);

  it('cannot hide text in a grant: removed grants keep the ends of lines and strings', () => {
    const grant = compileGrants(CONNECTOR, [groupId(1)]);
    for (const before of ['// ', '"', '"\\', ''])
      expect(removeGrants(`${before}${grant}`).rest.split('\n')).toHaveLength(2);
    expect(refusal(`// ${grant} ${policy(DEEP['parentheses']!(60))}`)).toMatch(/nested deeper/);
  });

  it('has patterns of limited length, and matches texts of limited length', () => {
    const like = (pattern: string) =>
      `permit(principal, action == Action::"read_resource", resource) when { resource.uri like "${pattern}" };`;
    expect(refusal(Array.from({ length: 5 }, () => like(`*${'a'.repeat(MAX_PATTERNS / 4)}b`)).join('\n'))).toMatch(
      /patterns of "like"/,
    );
    const set = preparePolicySet(CONNECTOR, like('file:///*'), STANDARD_CLAIMS);
    const read = (length: number) =>
      decide(set, person, { action: 'read_resource', name: `file:///${'a'.repeat(length - 8)}` });
    expect(read(MAX_MATCHED_CHARACTERS).allowed).toBe(true);
    expect(read(MAX_MATCHED_CHARACTERS + 1)).toMatchObject({
      allowed: false,
      errors: [expect.stringContaining('longer than')],
    });
  });
});

describe('a compiled grant', () => {
  it('equals the text of Cedar byte for byte', () => {
    expect(compileGrants(CONNECTOR, [groupId(7)])).toBe(formatGrant(CONNECTOR, groupId(7)));
  });
});

import { describe, expect, it } from '@jest/globals';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { decodeText } from '@gatehouse/yaml-files/file-text';
import { parseResourceText } from './resource-text.ts';

const POLICY = `apiVersion: gatehouse.dev/v1alpha1
kind: AIPolicy
metadata:
  name: developers
spec:
  gatewayRef: { name: local }
  principalMatchers:
    - claims: { groups: developers }
`;

const parse = (text: string) => parseResourceText(text, 'gatehouse');
function describeProblem(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof FileProblemError) return error.describe('a.yaml').replace(/ Correct it: .*/, '');
    throw error;
  }
  return 'no problem';
}

describe('parseResourceText', () => {
  it('returns the members that people write, in the namespace of the store', () =>
    expect(parse(POLICY).candidate).toEqual({
      apiVersion: 'gatehouse.dev/v1alpha1',
      kind: 'AIPolicy',
      metadata: { name: 'developers', namespace: 'gatehouse' },
      spec: { gatewayRef: { name: 'local' }, principalMatchers: [{ claims: { groups: 'developers' } }] },
    }));

  it('ignores what a cluster adds to a file', () => {
    const copied = POLICY.replace(
      'name: developers',
      'name: developers\n  uid: u\n  resourceVersion: "7"\n  generation: 3',
    );
    expect(parse(`${copied}status: { conditions: [] }\n`).candidate).toEqual(parse(POLICY).candidate);
  });

  it.each([
    ['CRLF line ends', POLICY.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${POLICY}`],
    ['a document start and end', `---\n${POLICY}...\n`],
    [
      'aliases',
      POLICY.replace('{ name: local }', '&one { name: local }')
        .concat('  mcpPolicy: {}\n')
        .replace('mcpPolicy: {}', ''),
    ],
    ['JSON', JSON.stringify({ ...parse(POLICY).candidate, metadata: { name: 'developers' } })],
    ['the namespace of the store', POLICY.replace('name: developers', 'name: developers\n  namespace: gatehouse')],
  ])('accepts %s', (_, text) => expect(parse(text).candidate).toEqual(parse(POLICY).candidate));

  it.each([
    [
      'an empty file',
      '',
      'a.yaml: the file breaks a rule: the document must be an object with apiVersion, kind, metadata and spec.',
    ],
    ['a scalar', 'text', 'a.yaml, line 1, column 1: the file breaks a rule: the document must be'],
    [
      'broken YAML',
      POLICY.replace('{ name: local }', '{ name: local'),
      'a.yaml, line 7, column 3: the file is not valid YAML in /spec/principalMatchers',
    ],
    [
      'a field twice',
      POLICY.replace('spec:', 'spec:\n  description: a\n  description: b'),
      'a.yaml, line 7, column 3: the file is not valid YAML: the field /spec/description stands twice.',
    ],
    [
      'an unknown tag',
      POLICY.replace('developers }', '!secret x }'),
      'a.yaml, line 8, column 25: the file is not valid YAML in /spec/principalMatchers/0/claims/groups: Unresolved tag: !secret',
    ],
    ['two documents', `${POLICY}---\n${POLICY}`, 'a.yaml, line 9, column 1: the file has more than one YAML document.'],
    [
      'another version',
      POLICY.replace('v1alpha1', 'v1'),
      'a.yaml, line 1, column 1: the file breaks a rule: /apiVersion must be gatehouse.dev/v1alpha1.',
    ],
    [
      'another kind',
      POLICY.replace('AIPolicy', 'ConfigMap'),
      'a.yaml, line 2, column 1: the file breaks a rule: /kind must be one of AIGateway, AIPolicy.',
    ],
    [
      'no metadata',
      POLICY.replace(/metadata:\n.*\n/, ''),
      'a.yaml, line 1, column 1: the file breaks a rule: /metadata must be an object',
    ],
    [
      'a name in upper case',
      POLICY.replace('name: developers', 'name: Developers'),
      'a.yaml, line 4, column 3: the file breaks a rule: /metadata/name must be a DNS-1123 subdomain',
    ],
    [
      'a misspelled member',
      POLICY.replace('name: developers', 'name: developers\n  label: {}'),
      'a.yaml, line 5, column 3: the file breaks a rule: /metadata/label is not a known field.',
    ],
    [
      'a foreign namespace',
      POLICY.replace('name: developers', 'name: developers\n  namespace: other'),
      'a.yaml, line 5, column 3: the file breaks a rule: /metadata/namespace must be gatehouse',
    ],
    [
      'a number that JSON has not',
      POLICY.replace('groups: developers', 'groups: .nan'),
      'a.yaml, line 8, column 17: the file breaks a rule: /spec/principalMatchers/0/claims/groups must be a finite number.',
    ],
    [
      'a timestamp',
      `%YAML 1.1\n---\n${POLICY.replace('groups: developers', 'groups: 2026-01-01')}`,
      'claims/groups must be a value that JSON has',
    ],
    [
      'a set',
      POLICY.replace('{ groups: developers }', '!!set { groups }'),
      '/spec/principalMatchers/0/claims must be a value that JSON has',
    ],
    ['a map as a key', POLICY.replace('groups: developers', '? { a: b } : c'), 'a.yaml, line 8'],
  ])('describes %s with file, line, column and field', (_, text, expected) =>
    expect(describeProblem(text)).toContain(expected),
  );

  it('says what to do about a problem', () => {
    const problem = new FileProblemError('is larger than 1 MiB');
    expect(problem.describe('a.yaml')).toBe(
      'a.yaml: the file is larger than 1 MiB. Correct it: until then its content has no effect, and the last valid state stays in force.',
    );
  });

  it('keeps members with the names of members of objects', () => {
    const text = POLICY.replace('groups: developers', '__proto__: a, constructor: b');
    const { spec } = parse(text).candidate as unknown as { spec: { principalMatchers: [{ claims: object }] } };
    expect(Object.entries(spec.principalMatchers[0].claims)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});

describe('parseResourceText with hostile texts of 1 MiB', () => {
  const MEBIBYTE = 1024 * 1024;
  const fill = (part: string): string => part.repeat(Math.floor(MEBIBYTE / part.length));
  const levels = Array.from(
    { length: 9 },
    (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(', ')}]`,
  );

  it.each([
    ['an alias bomb', ['a0: &a0 [x]', ...levels].join('\n'), 'uses more than 100 aliases'],
    ['nested flow lists', fill('['), 'has more than 500000 YAML tokens'],
    ['fewer nested flow lists', '['.repeat(300_000), 'the file is'],
    ['fewer quotes', '"'.repeat(900_000), 'the file is not valid YAML'],
    ['fewer question marks', '? '.repeat(200_000), 'the file'],
    ['fewer anchors', '&a '.repeat(240_000), 'the file is not valid YAML'],
    ['nested flow maps', fill('{a: '), 'tokens'],
    ['nested block lists', fill('- '), 'tokens'],
    ['an alias without its anchor', 'a: *b', 'the file is not valid YAML: Unresolved alias'],
    ['a list of aliases', `a: &a x\nb:\n${'- *a\n'.repeat(90_000)}`, 'uses more than 100 aliases'],
    ['anchors', fill('&a '), 'tokens'],
    ['quotes', fill('"'), 'tokens'],
    ['blanks', fill(' '), 'the document must be an object'],
    ['comments', fill('#\n'), 'tokens'],
    ['colons', fill(': '), 'tokens'],
    ['tags', fill('!a '), 'tokens'],
    ['documents', '---\n'.repeat(200_000), 'more than one YAML document'],
    ['carriage returns', fill('\r'), 'the file'],
    ['question marks', fill('? '), 'tokens'],
    ['one long key', fill('a'), 'the document must be an object'],
    ['keys', Array.from({ length: 70_000 }, (_, at) => `k${at}: 1`).join('\n'), '/apiVersion'],
  ])('refuses %s', (_, text, expected) => expect(describeProblem(text)).toContain(expected), 60_000);
});

describe('decodeText', () => {
  it('refuses bytes that are not UTF-8', () =>
    expect(() => decodeText(Buffer.from([0x61, 0xff]))).toThrow('is not UTF-8 text'));
});

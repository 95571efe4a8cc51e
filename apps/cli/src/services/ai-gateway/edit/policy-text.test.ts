import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createPolicyFixture } from './policy.fixture.ts';
import { parsePolicyText, selectEditable, writePolicyText } from './policy-text.ts';
import { markProblems } from '../../edit/text-problems.ts';

const POLICY = createPolicyFixture();

describe('the text of an edit', () => {
  it('has the editable fields, and comments with the others', () => {
    expect(writePolicyText(POLICY, selectEditable(POLICY))).toBe(
      `# AIPolicy team. Save and close the editor to change the policy.
# Lines that begin with # are ignored. An empty file changes nothing.
# You can edit description, principalMatchers, mcpPolicy. This part cannot be edited:
#   resourceVersion: "7"
#   gatewayRef:
#     name: local
#   budgets:
#     - name: default
#       models:
#         - gpt

description: Models of the team
principalMatchers:
  - claims:
      groups: team
`,
    );
  });

  it('shows the values of others in comments', () => {
    const text = writePolicyText(POLICY, selectEditable(POLICY), {
      description: 'theirs',
      mcpPolicy: { servers: ['a'] },
    });
    expect(text).toContain('# In the meantime, description was changed to:\n#   description: theirs\ndescription: Mod');
    expect(text).toMatch(/# In the meantime, mcpPolicy was changed to:\n# {3}mcpPolicy:\n# {5}servers:\n# {7}- a\n$/);
    expect(parsePolicyText(text)).toMatchObject({ fields: selectEditable(POLICY) });
  });

  it.each([
    ['two lines\nand # no comment\n'],
    ['- "quoted": {x}'],
    ['*alias &anchor'],
    ['\u001b[2J\u202e\u0000'],
    ['x'.repeat(300)],
    [''],
    ['true'],
  ])('keeps the description %j', (description) => {
    const policy = createPolicyFixture({ description });
    expect(parsePolicyText(writePolicyText(policy, selectEditable(policy)))).toMatchObject({ fields: { description } });
  });

  it('keeps any values, and their lines are those of the text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const values = fc.record({ description: text, key: text, value: text, server: text });
    fc.assert(
      fc.property(values, ({ description, key, value, server }) => {
        const principalMatchers = [{ claims: Object.fromEntries([[key, value]]) }];
        const policy = createPolicyFixture({ description, principalMatchers, mcpPolicy: { servers: [server] } });
        const written = writePolicyText(policy, selectEditable(policy), { description: value, mcpPolicy: undefined });
        const parsed = parsePolicyText(written);
        expect(parsed).toMatchObject({ kind: 'fields', fields: selectEditable(policy) });
        if (parsed.kind !== 'fields') return;
        const line = parsed.findLine('/spec/mcpPolicy') ?? 0;
        expect(written.split('\n')[line - 1]).toBe('mcpPolicy:');
      }),
    );
  });

  it('is empty when only comments are left', () => {
    for (const text of ['', '\n\n', '# a\n#b\n', '---\n']) expect(parsePolicyText(text)).toEqual({ kind: 'empty' });
  });

  it('can be a whole policy', () => {
    const parsed = parsePolicyText('metadata:\n  resourceVersion: "7"\nspec:\n  description: x\n');
    expect(parsed).toMatchObject({ fields: { description: 'x' }, resourceVersion: '7' });
    if (parsed.kind === 'fields') expect(parsed.findLine('/spec/description')).toBe(4);
  });

  it.each([
    ['- a\n', 1, 'must be an object'],
    ['\nspec: text\n', 2, 'spec must be an object'],
    ['a: 1\nb: [\n', 3, 'Flow sequence'],
  ])('is broken in line: %j', (text, line, message) => {
    expect(parsePolicyText(text)).toMatchObject({
      kind: 'broken',
      problems: [{ line, message: expect.stringContaining(message) }],
    });
  });
});

describe('the comments with errors', () => {
  it('name the lines of the text that contains them', () => {
    const text = markProblems('# comment\na: 1\n', [
      { line: 2, message: 'a: is wrong' },
      { line: undefined, message: 'b' },
    ]);
    expect(text).toBe('# Error: line 4: a: is wrong\n# Error: b\n# comment\na: 1\n');
    expect(text.split('\n')[3]).toBe('a: 1');
  });

  it('replace those of the edit before', () => {
    const first = markProblems('a: 1\n', [
      { line: 1, message: 'x' },
      { line: 1, message: 'y' },
    ]);
    expect(markProblems(first, [{ line: 3, message: 'z' }])).toBe('# Error: line 2: z\na: 1\n');
    expect(markProblems(first, [])).toBe('a: 1\n');
  });
});

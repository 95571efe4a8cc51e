import { describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { applyMergePatch } from '@gatehouse/ai-resources/merge-patch';
import fc from 'fast-check';
import { createSpecPatch, findClashes, formatConflict, hasSameContent, rebaseFields } from './policy-changes.ts';
import { createPolicyFixture } from './policy.fixture.ts';
import { EDITABLE, selectEditable } from './policy-text.ts';

const BASE = createPolicyFixture();
const MATCHERS = [{ claims: { groups: 'other' } }];
const mine = (fields: object) => ({ ...selectEditable(BASE), ...fields });

describe('the patch of an edited text', () => {
  it.each([
    ['nothing', {}, {}],
    ['a field', { description: 'new' }, { description: 'new' }],
    ['a removed field', { description: undefined }, { description: null }],
    ['a field without a value', { description: null }, { description: null }],
    ['a list as a whole', { principalMatchers: MATCHERS }, { principalMatchers: MATCHERS }],
    ['an unknown field, which the service refuses', { budget: 1 }, { budget: 1 }],
    ['other budgets, which the service refuses', { budgets: [] }, { budgets: [] }],
    ['the same budgets', { budgets: BASE.spec.budgets }, {}],
  ])('has %s', (_, fields, patch) => {
    const given = Object.fromEntries(Object.entries(mine(fields)).filter(([, value]) => value !== undefined));
    expect(createSpecPatch(BASE, given)).toEqual(patch);
  });
});

describe('an edit of a policy that others changed', () => {
  const present = createPolicyFixture({ description: 'theirs', mcpPolicy: { servers: ['s'] } }, '9');

  it('keeps the changes of both in different fields', () => {
    const fields = mine({ principalMatchers: MATCHERS });
    expect(rebaseFields(BASE, fields, present)).toEqual({
      description: 'theirs',
      principalMatchers: MATCHERS,
      mcpPolicy: { servers: ['s'] },
    });
    expect(findClashes(BASE, fields, present)).toEqual({});
  });

  it('takes the value of the person for a field that both changed', () => {
    const fields = mine({ description: 'mine' });
    expect(rebaseFields(BASE, fields, present)).toMatchObject({ description: 'mine' });
    expect(findClashes(BASE, fields, present)).toEqual({ description: 'theirs' });
  });

  it('has no clash when both made the same change', () => {
    expect(findClashes(BASE, mine({ description: 'theirs' }), present)).toEqual({});
  });

  it('removes a field that the person removed', () => {
    const { description: _, ...fields } = selectEditable(BASE);
    expect(rebaseFields(BASE, fields, present)).not.toHaveProperty('description');
    expect(findClashes(BASE, fields, present)).toEqual({ description: 'theirs' });
  });

  it('overwrites the fields that the person changed, and no others', () => {
    const policy = fc
      .record(
        {
          description: fc.constantFrom('a', 'b', 'c'),
          principalMatchers: fc.constantFrom('a', 'b').map((group) => [{ claims: { group } }]),
          mcpPolicy: fc.record({ servers: fc.subarray(['a', 'b']) }, { requiredKeys: [] }),
        },
        { requiredKeys: ['principalMatchers'] },
      )
      .map(({ description, ...fields }) => {
        const { description: _, ...spec } = BASE.spec;
        return { ...BASE, spec: { ...spec, ...fields, ...(description !== undefined && { description }) } };
      });
    fc.assert(
      fc.property(policy, policy, policy, (base, edited, now) => {
        const own = selectEditable(edited);
        const saved = applyMergePatch(now.spec, createSpecPatch(now, rebaseFields(base, own, now)));
        const [before, others] = [selectEditable(base), selectEditable(now)];
        const { gatewayRef, budgets } = BASE.spec;
        expect(saved).toEqual({
          ...{ gatewayRef, budgets },
          ...Object.fromEntries(
            EDITABLE.map((name) => [name, isDeepStrictEqual(before[name], own[name]) ? others[name] : own[name]]),
          ),
        });
      }),
    );
  });

  it('shows the changes of both as diffs', () => {
    const changed = createPolicyFixture({ budgets: [{ name: 'default', models: ['gpt', 'claude'] }] }, '9');
    const lines = formatConflict(BASE, mine({ description: 'mine' }), changed).split('\n');
    expect(lines[0]).toBe('What others changed in the meantime:');
    expect(lines).toContain('+        - claude');
    expect(lines).toContain('What you changed:');
    expect(lines).toContain('-description: Models of the team');
    expect(lines).toContain('+description: mine');
    expect(lines.filter((line) => line.startsWith('---') || line.startsWith('==='))).toEqual([]);
  });

  it('says that the policy was created again', () => {
    const again = { ...BASE, metadata: { ...BASE.metadata, uid: 'u-2' } };
    expect(hasSameContent(BASE, again)).toBe(false);
    expect(formatConflict(BASE, mine({}), again)).toContain('it was deleted and created again');
  });
});

it('a new status is not new content', () => {
  const present = { ...createPolicyFixture({}, '8'), status: { observedGeneration: 5 } };
  expect(hasSameContent(BASE, present)).toBe(true);
  expect(hasSameContent(BASE, createPolicyFixture({ budgets: [] }, '8'))).toBe(false);
});

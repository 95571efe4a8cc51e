import { describe, expect, it } from '@jest/globals';
import { ELEMENT_PARTS, type ElementPart } from '../protocol/element-text.ts';
import { groupLists } from './group-lists.ts';

const BASE = 'https://x.test/scim/corp/v2';
const ROWS = [
  { user_id: 'ann', ids: 'g1,g2', facts: 'di' },
  { user_id: null, ids: 'g2,g1', facts: '["He said \\"two\\"", "One"]' },
  { user_id: 'bob', ids: 'local,g2', facts: 'dd' },
  { user_id: 'eve', ids: 'local', facts: 'd' },
];
const shown = (person: string, parts: readonly ElementPart[] = ELEMENT_PARTS): unknown =>
  JSON.parse(groupLists(ROWS, new Set(parts), BASE).get(person) ?? 'null');

describe('the groups of people, as JSON', () => {
  it('are those that are named, in the order of each person', () => {
    expect(shown('ann')).toEqual([
      { value: 'g1', $ref: `${BASE}/Groups/g1`, display: 'One', type: 'direct' },
      { value: 'g2', $ref: `${BASE}/Groups/g2`, display: 'He said "two"', type: 'indirect' },
    ]);
    expect(shown('bob')).toMatchObject([{ value: 'g2', type: 'direct' }]);
    expect(shown('eve')).toEqual([]);
  });

  it('have the parts that are shown', () => {
    expect(shown('bob', ['type'])).toEqual([{ type: 'direct' }]);
    expect(shown('bob', ['value', 'type'])).toEqual([{ value: 'g2', type: 'direct' }]);
    expect(shown('bob', ['display'])).toEqual([{ display: 'He said "two"' }]);
    expect(shown('bob', [])).toEqual([{}]);
  });

  it('are none where no group is named', () => {
    const nobody = [
      { user_id: null, ids: null, facts: null },
      { user_id: 'eve', ids: 'local', facts: 'd' },
    ];
    expect([...groupLists(nobody, new Set(ELEMENT_PARTS), BASE)]).toEqual([['eve', '[]']]);
  });
});

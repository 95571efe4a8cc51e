import { describe, expect, it } from '@jest/globals';
import type { Connector } from '../ports/snapshot.ts';
import type { Offer } from './offers.ts';
import { ToolLists } from './tool-lists.ts';

const createView = (...names: string[]): ReadonlyMap<string, Offer<'tools'>> =>
  new Map(
    names.map((name) => [
      name,
      { name, connector: {} as Connector, definition: { name, inputSchema: { type: 'object' } } },
    ]),
  );
const open = () => new ToolLists(({ name }) => ({ name }));

describe('the lists of tools', () => {
  it('are sorted by name over all connectors', () => {
    expect(open().get('key', [createView('b', 'd'), createView('c', 'a')])).toEqual({
      tools: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }],
    });
  });

  it('are the same object for the same key, and another for another key', () => {
    const lists = open();
    const one = lists.get('one', [createView('a')]);
    expect(lists.get('one', [createView('a')])).toBe(one);
    expect(lists.get('two', [createView('a', 'b')])).not.toBe(one);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Access, Rules } from '../access/access.ts';
import type { Offer } from '../catalog/offers.ts';
import type { Connector } from '../ports/snapshot.ts';
import { ToolIndexes } from './tool-indexes.ts';

const definitions = ['one', 'two'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object' as const },
}));
const createView = (names = definitions): ReadonlyMap<string, Offer<'tools'>> =>
  new Map(
    names.map((definition) => [definition.name, { name: definition.name, connector: {} as Connector, definition }]),
  );
const rules = await Rules.parse({ connectors: [], policies: [], claim_mapping: {} });
const access = (): Access => new Access(rules, { issuer: 'i', subject: 's', claims: {} }, undefined);
const SCOPE = { slug: undefined };

describe('the indexes of views', () => {
  it('are shared by users with the same tools', async () => {
    const indexes = new ToolIndexes();
    const first = await indexes.get(access(), SCOPE, [createView()]);
    expect(await indexes.get(access(), SCOPE, [createView()])).toBe(first);
    expect(indexes.size).toBe(1);
  });

  it('hold exactly the tools of the user', async () => {
    const indexes = new ToolIndexes();
    await indexes.get(access(), SCOPE, [createView()]);
    const narrow = await indexes.get(access(), SCOPE, [createView(definitions.slice(0, 1))]);
    expect(narrow.find('one two', 5)).toEqual(['one']);
  });

  it('are built again for a changed definition, and not for the same tools', async () => {
    const indexes = new ToolIndexes();
    const user = access();
    const first = await indexes.get(user, SCOPE, [createView()]);
    expect(await indexes.get(user, SCOPE, [createView()])).toBe(first);
    const changed = createView([definitions[0]!, { ...definitions[1]!, description: 'three' }]);
    expect((await indexes.get(user, SCOPE, [changed])).find('three', 5)).toEqual(['two']);
  });

  it('of concurrent requests are built once', async () => {
    const indexes = new ToolIndexes();
    const [one, other] = await Promise.all([1, 2].map(() => indexes.get(access(), SCOPE, [createView()])));
    expect(one).toBe(other);
  });
});

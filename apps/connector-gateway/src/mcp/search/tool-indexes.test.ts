import { describe, expect, it } from '@jest/globals';
import { Access, Rules } from '../access/access.ts';
import type { Offer } from '../catalog/offers.ts';
import { type ConnectorOffers, ViewKeys } from '../catalog/view-keys.ts';
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
const createAccess = (): Access => new Access(rules, { issuer: 'i', subject: 's', claims: {} }, undefined);

const open = () => {
  const [keys, indexes] = [new ViewKeys(), new ToolIndexes()];
  return (access: Access, views: ConnectorOffers) => indexes.get(keys.get(access, { slug: undefined }, views), views);
};

describe('the indexes of views', () => {
  it('are shared by users with the same tools', async () => {
    const get = open();
    expect(await get(createAccess(), [createView()])).toBe(await get(createAccess(), [createView()]));
  });

  it('hold exactly the tools of the user', async () => {
    const get = open();
    await get(createAccess(), [createView()]);
    const narrow = await get(createAccess(), [createView(definitions.slice(0, 1))]);
    expect(narrow.find('one two', 5)).toEqual(['one']);
  });

  it('are built again for a changed definition, and not for the same tools', async () => {
    const get = open();
    const user = createAccess();
    const first = await get(user, [createView()]);
    expect(await get(user, [createView()])).toBe(first);
    const changed = createView([definitions[0]!, { ...definitions[1]!, description: 'three' }]);
    expect((await get(user, [changed])).find('three', 5)).toEqual(['two']);
  });

  it('of concurrent requests are built once', async () => {
    const get = open();
    const [one, other] = await Promise.all([1, 2].map(() => get(createAccess(), [createView()])));
    expect(one).toBe(other);
  });
});

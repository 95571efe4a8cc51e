import { expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/resources.fixture.ts';
import { API_VERSION, type AIGateway, type NewResource } from '../../src/resource.ts';
import { brokenPolicy, catchStoreError, fullPolicy, listFields, newPolicy } from './new-policy.ts';
import type { GetStores } from './test-stores.ts';

/** Names that no resource can have. Some of them form another path or file. */
const INVALID_NAMES = [
  '',
  '.',
  '..',
  '../team-a',
  'team-a/status',
  'Team-A',
  'team_a',
  '-a',
  'a'.repeat(254),
  'ä',
  'a%2f',
];

/** Defines the tests of `create` and `get`. */
export function defineCreateTests(getStores: GetStores): void {
  it('returns the resource with the metadata of the store, and nothing else', async () => {
    const policy = fullPolicy('team-a');
    const created = await getStores().policies.create(policy);
    expect(created).toEqual({
      apiVersion: API_VERSION,
      kind: 'AIPolicy',
      metadata: {
        ...policy.metadata,
        namespace: getStores().namespace,
        uid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        resourceVersion: expect.stringMatching(/^[1-9]\d*$/),
        generation: 1,
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
      spec: policy.spec,
    });
    expect(await getStores().policies.get('team-a')).toEqual(created);
    expect(await getStores().replica.get('team-a')).toEqual(created);
  });

  it('returns undefined for a name that no resource has', async () => {
    expect(await getStores().policies.get('team-a')).toBeUndefined();
  });

  it.each(INVALID_NAMES)('returns undefined for the invalid name %j', async (name) => {
    await getStores().policies.create(newPolicy('team-a'));
    expect(await getStores().policies.get(name)).toBeUndefined();
  });

  it.each(INVALID_NAMES)('refuses to create the invalid name %j', async (name) => {
    const error = await catchStoreError(getStores().policies.create(newPolicy(name)));
    expect([error.code, listFields(error)]).toEqual(['invalid', ['/metadata/name']]);
  });

  it('stores names of 253 characters, with dots and hyphens', async () => {
    const name = `${'a-b.'.repeat(63)}c`;
    await getStores().policies.create(newPolicy(name));
    expect((await getStores().replica.get(name))?.metadata.name).toBe(name);
  });

  it('refuses a name that exists, and keeps the resource', async () => {
    const first = await getStores().policies.create(newPolicy('team-a'));
    const error = await catchStoreError(getStores().replica.create(newPolicy('team-a', { description: 'second' })));
    expect(error.code).toBe('already_exists');
    expect(await getStores().policies.get('team-a')).toEqual(first);
  });

  it('creates a name once when several creators compete', async () => {
    const { policies, replica } = getStores();
    const attempts = Array.from({ length: 8 }, (_, at) =>
      (at % 2 === 0 ? policies : replica).create(newPolicy('team-a', { description: String(at) })),
    );
    const results = await Promise.allSettled(attempts);
    const winners = results.filter(({ status }) => status === 'fulfilled');
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
    );
    expect([winners.length, new Set(codes)]).toEqual([1, new Set(['already_exists'])]);
  });

  it('keeps resources of different kinds with one name apart', async () => {
    const gateway = { metadata: GATEWAY.metadata, spec: GATEWAY.spec } as unknown as NewResource<AIGateway['spec']>;
    await getStores().gateways.create(gateway);
    await getStores().policies.create(newPolicy(GATEWAY.metadata.name));
    expect((await getStores().gateways.get(GATEWAY.metadata.name))?.kind).toBe('AIGateway');
    expect((await getStores().policies.get(GATEWAY.metadata.name))?.kind).toBe('AIPolicy');
  });

  it('adds the defaults of the definition', async () => {
    const { auth, providers } = GATEWAY.spec;
    const routes = [{ match: { model: 'gpt-5' }, backends: [{ provider: 'openai' }] }];
    const gateway = { metadata: { name: 'main' }, spec: { auth, providers, routes } };
    const created = await getStores().gateways.create(gateway as unknown as NewResource<AIGateway['spec']>);
    expect(created.spec.routes?.[0]?.backends[0]).toEqual({ provider: 'openai', weight: 1, priority: 0 });
  });

  it.each<[string, Readonly<Record<string, unknown>>, string[]]>([
    ['a wrong type', { description: 7 }, ['/spec/description']],
    ['a text that is too long', { description: 'a'.repeat(2_049) }, ['/spec/description']],
    ['a missing member', { principalMatchers: undefined }, ['/spec/principalMatchers']],
    ['no matchers', { principalMatchers: [] }, ['/spec/principalMatchers']],
    ['a matcher without claims', { principalMatchers: [{}] }, ['/spec/principalMatchers/0/claims']],
    ['an unknown member', { money: 7 }, ['/spec/money']],
    [
      'unknown members of members',
      { mcpPolicy: { tools: [] }, principalMatchers: [{ claims: { a: 'b' }, or: 1 }] },
      ['/spec/mcpPolicy/tools', '/spec/principalMatchers/0/or'],
    ],
    [
      'a claim with dots and slashes in its name',
      { principalMatchers: [{ claims: { 'realm_access.roles': '', 'https://a.example/b': '' } }] },
      [
        '/spec/principalMatchers/0/claims/https:~1~1a.example~1b',
        '/spec/principalMatchers/0/claims/realm_access.roles',
      ],
    ],
    [
      'two items with one name',
      {
        budgets: [
          { name: 'a', models: [] },
          { name: 'a', models: [] },
        ],
      },
      ['/spec/budgets/1'],
    ],
  ])('refuses %s, names its member and stores nothing', async (_, spec, fields) => {
    const error = await catchStoreError(getStores().policies.create(brokenPolicy('team-a', spec)));
    expect([error.code, listFields(error)]).toEqual(['invalid', fields]);
    expect(await getStores().policies.get('team-a')).toBeUndefined();
  });

  it.each([
    ['labels', { 'not a name': 'a' }],
    ['labels', { team: 'not a value' }],
    ['annotations', { 'not a name': 'a' }],
  ])('refuses invalid %s', async (member, value) => {
    const policy = newPolicy('team-a');
    const metadata = { name: 'team-a', [member]: value };
    const error = await catchStoreError(getStores().policies.create({ ...policy, metadata }));
    expect(error.code).toBe('invalid');
    expect(listFields(error)[0]).toMatch(new RegExp(`^/metadata/${member}`));
  });

  it('rejects with the reason of an aborted signal, and stores nothing', async () => {
    const reason = new Error('the caller has left');
    await expect(getStores().policies.create(newPolicy('team-a'), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await getStores().policies.get('team-a')).toBeUndefined();
    await expect(getStores().policies.get('team-a', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
}

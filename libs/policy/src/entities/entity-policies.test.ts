import { describe, expect, it } from '@jest/globals';
import { EntityPolicies, type EntityRequest, PolicyListError } from './entity-policies.ts';
import { EntitiesError, MAX_ENTITIES, StaticEntities } from './static-entities.ts';

const parse = (texts: readonly string[], entities: unknown = []) =>
  EntityPolicies.parse(texts, StaticEntities.parse(entities));

const createRequest = ({
  attrs = {},
  context = {},
  parents = [] as { type: string; id: string }[],
} = {}): EntityRequest => ({
  principal: { uid: { type: 'Client', id: 'ann' }, attrs: {}, parents },
  action: 'call_tool',
  resource: { uid: { type: 'Tool', id: 'say' }, attrs, parents: [] },
  context,
});
const decide = (policies: EntityPolicies, request = createRequest()) => policies.decide(request).allowed;

describe('policies over entities', () => {
  it.each([
    ['nothing without a permit', ['forbid(principal, action, resource == Tool::"x");'], false],
    ['what a permit names', ['permit(principal == Client::"ann", action, resource == Tool::"say");'], true],
    [
      'nothing that a forbid names too',
      ['permit(principal, action, resource);', 'forbid(principal, action, resource);'],
      false,
    ],
    [
      'nothing when a policy fails',
      ['permit(principal, action, resource);', 'forbid(principal, action, resource) when { context.missing };'],
      false,
    ],
    [
      'several policies of one text',
      ['forbid(principal, action, resource == Tool::"x"); permit(principal, action, resource);'],
      true,
    ],
  ])('allow %s', (_, texts, allowed) => {
    expect(decide(parse(texts))).toBe(allowed);
  });

  it('reach entities through parents, attributes and names in policies', () => {
    const entities = [
      { uid: { type: 'Group', id: 'dev' }, parents: [{ type: 'Group', id: 'all' }] },
      { uid: { __entity: { type: 'Group', id: 'all' } }, attrs: { open: true } },
      {
        uid: { type: 'Tool', id: 'say' },
        attrs: { owner: { __entity: { type: 'Client', id: 'boss' } } },
        parents: [{ type: 'Set', id: 's' }],
      },
      { uid: { type: 'Client', id: 'boss' }, attrs: { team: 'x' } },
    ];
    const inDev = createRequest({ parents: [{ type: 'Group', id: 'dev' }] });
    const test = (condition: string) =>
      decide(parse([`permit(principal, action, resource) when { ${condition} };`], entities), inDev);
    expect(test('principal in Group::"all"')).toBe(true);
    expect(test('Group::"all".open')).toBe(true);
    expect(test('resource.owner.team == "x"')).toBe(true);
    expect(test('resource in Set::"s"')).toBe(true);
    expect(test('principal in Group::"other"')).toBe(false);
  });

  it('keep the attributes of the request before those of a static entity', () => {
    const entities = [{ uid: { type: 'Tool', id: 'say' }, attrs: { name: 'static', owner: 'ann' } }];
    const request = createRequest({ attrs: { name: 'say' } });
    const policies = parse(
      ['permit(principal, action, resource) when { resource.name == "say" && resource.owner == "ann" };'],
      entities,
    );
    expect(decide(policies, request)).toBe(true);
  });

  it('see the whole context where a policy compares it', () => {
    const policies = parse(['permit(principal, action, resource) when { context == {a: "1", b: "2"} };']);
    expect(decide(policies, createRequest({ context: { a: '1', b: '2' } }))).toBe(true);
    expect(decide(policies, createRequest({ context: { a: '1', b: '2', c: '3' } }))).toBe(false);
  });

  it('refuse a text that is too long for a pattern, and half of a surrogate pair', () => {
    const policies = parse(['permit(principal, action, resource) when { context.path like "/data/*" };']);
    const ask = (path: string) => policies.decide(createRequest({ context: { path, other: 'x'.repeat(5_000) } }));
    expect(ask('/data/a').allowed).toBe(true);
    expect(ask(`/data/${'a'.repeat(5_000)}`)).toMatchObject({
      allowed: false,
      errors: [expect.stringContaining('2048')],
    });
    expect(ask('/data/\ud800')).toMatchObject({ allowed: false, errors: [expect.stringContaining('surrogate')] });
    expect(ask('/data/\\ud800😀').allowed).toBe(true);
  });

  it('name the policies that decided', () => {
    const policies = parse([
      'permit(principal, action, resource == Tool::"x");',
      '@id("say")\npermit(principal, action, resource);',
    ]);
    expect(policies.decide(createRequest()).reasons).toEqual(['policies.1.say']);
  });

  it.each([
    [0, 1, ['permit(principal, action, resource)']],
    [1, 2, ['permit(principal, action, resource);', '\npermit(principal, action, ressource);']],
    [0, 1, ['']],
    [0, 1, [`permit(principal, action, resource) when { ${'('.repeat(200)}true${')'.repeat(200)} };`]],
    [0, 1, ['permit(principal == ?principal, action, resource);']],
    [250, 1, Array.from({ length: 251 }, () => 'permit(principal, action, resource);')],
  ])('are refused with the index %i and the line %i', (index, line, texts) => {
    let thrown: unknown;
    try {
      parse(texts);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(PolicyListError);
    expect((thrown as PolicyListError).fault).toMatchObject({ index, line });
  });

  it.each([
    ['no list', {}],
    ['no object', ['x']],
    ['an identity in another form', [{ uid: 'Tool::weather' }]],
    [
      'a cycle',
      [
        { uid: { type: 'A', id: '1' }, parents: [{ type: 'A', id: '2' }] },
        { uid: { type: 'A', id: '2' }, parents: [{ type: 'A', id: '1' }] },
      ],
    ],
    ['two of one identity', [{ uid: { type: 'A', id: '1' } }, { uid: { __entity: { type: 'A', id: '1' } } }]],
    ['too many', Array.from({ length: MAX_ENTITIES + 1 }, (_, id) => ({ uid: { type: 'A', id: String(id) } }))],
  ])('are refused with entities that are %s', (_, entities) => {
    expect(() => StaticEntities.parse(entities)).toThrow(EntitiesError);
  });

  it('ask Cedar about the reachable ones of ten thousand entities only', () => {
    const entities = Array.from({ length: MAX_ENTITIES }, (_, at) => ({
      uid: { type: 'Group', id: `g${at}` },
      parents: at % 100 === 0 ? [] : [{ type: 'Group', id: `g${at - 1}` }],
    }));
    const fixed = StaticEntities.parse(entities);
    const reachable = fixed.listReachable({ uids: [{ type: 'Group', id: 'g4242' }], known: new Set() });
    expect(reachable).toHaveLength(43);
    const policies = EntityPolicies.parse(['permit(principal in Group::"g4200", action, resource);'], fixed);
    expect(decide(policies, createRequest({ parents: [{ type: 'Group', id: 'g4242' }] }))).toBe(true);
    expect(decide(policies, createRequest({ parents: [{ type: 'Group', id: 'g4342' }] }))).toBe(false);
  });
});

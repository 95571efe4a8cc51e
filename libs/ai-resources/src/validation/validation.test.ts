import { describe, expect, it } from '@jest/globals';
import type { ResourceKind } from '../resource.ts';
import { ResourceStoreError } from '../resource-store.ts';
import { GATEWAY, POLICY } from '../resources.fixture.ts';
import { findImmutableViolations, findViolations, readResource } from './validation.ts';

const DOCUMENTS: Readonly<Record<ResourceKind, object>> = { AIGateway: GATEWAY, AIPolicy: POLICY };

/** A valid resource of the kind with one member replaced; undefined removes it. */
function replaceMember(kind: ResourceKind, field: string, value: unknown): unknown {
  const resource = structuredClone(DOCUMENTS[kind]) as Record<string, unknown>;
  const names = field.split('/').slice(1);
  const last = names.pop()!;
  const parent = names.reduce<Record<string, unknown>>(
    (found, name) => found[name] as Record<string, unknown>,
    resource,
  );
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return resource;
}

const SECRET_ID = '0197a3c2-2b9c-71d5-aff2-f15eb4bb768b';
const repeat = (count: number, create: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, at) => create(at));
const matcher = (claims: object): object => ({ claims });
const claims = (count: number): object =>
  Object.fromEntries(repeat(count, (at) => [`c${at}`, 'x']) as [string, string][]);

describe('findViolations', () => {
  it.each(['AIGateway', 'AIPolicy'] as const)('accepts a valid %s', (kind) => {
    expect(findViolations(kind, DOCUMENTS[kind])).toEqual([]);
  });

  it.each([
    ['/apiVersion', undefined, 'is required'],
    ['/apiVersion', 'v1', 'must be gatehouse.dev/v1alpha1'],
    ['/kind', 'AIGateway', 'must be AIPolicy'],
    ['/metadata', undefined, 'is required'],
    ['/metadata/name', undefined, 'is required'],
    ['/metadata/name', 7, 'must be a string'],
    ['/metadata/name', 'Team_A', 'must match the pattern'],
    ['/metadata/name', 'a'.repeat(254), 'must have at most 253 characters'],
    ['/metadata/colour', 'red', 'is not a known field'],
    ['/metadata/labels', { 'a b': 'x' }, 'has a name that must match the pattern', '/metadata/labels/a b'],
    ['/metadata/labels', { a: 'x y' }, 'must match the pattern', '/metadata/labels/a'],
    ['/metadata/labels', { a: 'x'.repeat(64) }, 'must have at most 63 characters', '/metadata/labels/a'],
    ['/metadata/annotations', { 'a/b/c': 'x' }, 'has a name that', '/metadata/annotations/a~1b~1c'],
    ['/metadata/annotations', { a: 'x'.repeat(262_144) }, 'must have at most 262144 bytes'],
    ['/spec', undefined, 'is required'],
    ['/spec', [], 'must be an object'],
    ['/spec/money', 1, 'is not a known field'],
    ['/spec/~', 1, 'is not a known field', '/spec/~0'],
    ['/spec/gatewayRef', undefined, 'is required'],
    ['/spec/gatewayRef/name', '', 'must not be empty'],
    ['/spec/description', 5, 'must be a string'],
    ['/spec/description', 'x'.repeat(2049), 'must have at most 2048 characters'],
    ['/spec/principalMatchers', [], 'must have at least 1 item'],
    ['/spec/principalMatchers', repeat(33, () => matcher({ a: 'b' })), 'must have at most 32 items'],
    ['/spec/principalMatchers/0', null, 'must be an object'],
    ['/spec/principalMatchers/0/claims', {}, 'must have at least 1 member'],
    ['/spec/principalMatchers/0/claims', claims(17), 'must have at most 16 members'],
    ['/spec/principalMatchers/0/claims/groups', ['a'], 'must be a string'],
    ['/spec/mcpPolicy/servers', ['a', 'b', 'a'], 'must not repeat another item', '/spec/mcpPolicy/servers/2'],
    [
      '/spec/budgets/0/models/0',
      'gpt-*',
      'must match the pattern ^(\\*|[A-Za-z0-9][A-Za-z0-9_.:/@+-]*)$, such as gpt-5',
    ],
    [
      '/spec/budgets',
      repeat(2, () => ({ name: 'a', models: [] })),
      'must not have the name of another item',
      '/spec/budgets/1',
    ],
    ['/spec/budgets/0/limit_usd', '5', 'is not a known field'],
  ])('refuses an AIPolicy whose %s is %j', (place, value, message, field = place) => {
    expect(findViolations('AIPolicy', replaceMember('AIPolicy', place, value))).toEqual([
      { field, message: expect.stringContaining(message) },
    ]);
  });

  it.each([
    ['/spec/auth', undefined, 'is required'],
    ['/spec/auth/oidc/issuer', 'login.example.com', 'such as https://login.example.com/path'],
    ['/spec/auth/authz/roles/admin', [], 'must have at least 1 item'],
    ['/spec/listeners', [], 'must have at least 1 item'],
    ['/spec/listeners/0/port', 0, 'must be at least 1'],
    ['/spec/listeners/0/port', 65_536, 'must be at most 65535'],
    ['/spec/listeners/0/port', 80.5, 'must be an integer'],
    ['/spec/virtualKeys', { enabled: 'yes' }, 'must be true or false', '/spec/virtualKeys/enabled'],
    ['/spec/providers', {}, 'must be a list'],
    ['/spec/providers/0/kind', 'acme', 'must be one of openai, anthropic, google'],
    ['/spec/providers/0/endpoint', 'https://api.openai.com/v1', 'such as https://api.openai.com'],
    ['/spec/providers/0/secretRef/key', undefined, 'is required'],
    ['/spec/providers/0/managedSecretId', SECRET_ID, 'both secretRef and managedSecretId', '/spec/providers/0'],
    ['/spec/providers/2/managedSecretId', SECRET_ID.toUpperCase(), 'such as 0197a3c2-2b9c-71d5-aff2-f15eb4bb768a'],
    ['/spec/routes/0/match', { model: 'a\nb' }, 'must match the pattern', '/spec/routes/0/match/model'],
    ['/spec/routes/0/backends/0/weight', -1, 'must be at least 0'],
    ['/spec/webhooks/budgets/failureMode', 'open', 'must be one of Closed, Open'],
    ['/status', { conditions: [{}] }, 'is required', '/status/conditions/0/lastTransitionTime'],
  ])('refuses an AIGateway whose %s is %j', (place, value, message, field = place) => {
    expect(findViolations('AIGateway', replaceMember('AIGateway', place, value))[0]).toEqual({
      field,
      message: expect.stringContaining(message),
    });
  });

  it('counts characters as code points', () => {
    expect(findViolations('AIPolicy', replaceMember('AIPolicy', '/spec/description', '😀'.repeat(2048)))).toEqual([]);
  });

  it('treats a member that is null as absent', () => {
    expect(findViolations('AIPolicy', replaceMember('AIPolicy', '/spec/description', null))).toEqual([]);
    expect(findViolations('AIPolicy', replaceMember('AIPolicy', '/spec/gatewayRef', null))).toEqual([
      { field: '/spec/gatewayRef', message: 'is required' },
    ]);
  });

  it('ignores the metadata that the store sets', () => {
    const metadata = { name: 'a', uid: 5, resourceVersion: [], generation: 'x', managedFields: null };
    expect(findViolations('AIPolicy', { ...POLICY, metadata })).toEqual([]);
  });

  it.each([undefined, null, 7, 'text', true, [], [POLICY]])('refuses the document %j', (document) => {
    expect(findViolations('AIPolicy', document)).toEqual([{ field: '', message: 'must be an object' }]);
  });

  it('sorts violations by field and reports at most 20', () => {
    const spec = Object.fromEntries(repeat(30, (at) => [`f${100 + at}`, at]) as [string, number][]);
    const violations = findViolations('AIPolicy', { ...POLICY, spec: { ...POLICY.spec, ...spec } });
    expect(violations.map(({ field }) => field)).toEqual(repeat(20, (at) => `/spec/f${100 + at}`));
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('takes the name %s as any other', (name) => {
    const inClaims = JSON.stringify(POLICY).replace('"groups"', JSON.stringify(name));
    expect(findViolations('AIPolicy', JSON.parse(inClaims))).toEqual([]);
    const inSpec = JSON.stringify(POLICY).replace('"description"', JSON.stringify(name));
    expect(findViolations('AIPolicy', JSON.parse(inSpec))).toEqual([
      { field: `/spec/${name}`, message: 'is not a known field' },
    ]);
  });
});

describe('findImmutableViolations', () => {
  it('names an immutable field that was changed', () => {
    const moved = { spec: { ...POLICY.spec, gatewayRef: { name: 'other' } } };
    expect(findImmutableViolations('AIPolicy', POLICY, moved)).toEqual([
      { field: '/spec/gatewayRef', message: 'cannot be changed' },
    ]);
  });

  it('permits the change of other fields', () => {
    expect(findImmutableViolations('AIPolicy', POLICY, { spec: { ...POLICY.spec, description: 'new' } })).toEqual([]);
    expect(findImmutableViolations('AIGateway', GATEWAY, { spec: {} })).toEqual([]);
  });
});

describe('readResource', () => {
  it('sets the defaults of a gateway', () => {
    const { spec } = readResource('AIGateway', GATEWAY);
    expect(spec.virtualKeys).toEqual({ enabled: true });
    expect(spec.routes?.[0]?.backends).toEqual([
      { provider: 'openai', model: 'gpt-5-2025', weight: 3, priority: 0 },
      { provider: 'local', weight: 1, priority: 1 },
    ]);
    expect(spec.webhooks?.budgets).toMatchObject({ timeoutSeconds: 5, failureMode: 'Closed' });
  });

  it('returns null and texts as the API server stores them', () => {
    const metadata = { name: 'a', labels: { a: null }, annotations: {} };
    const policy = readResource('AIPolicy', {
      ...POLICY,
      metadata,
      spec: { ...POLICY.spec, description: 'a\ud800', budgets: null, mcpPolicy: { servers: null } },
    });
    expect(policy.metadata).toEqual({ name: 'a', labels: { a: '' } });
    expect(policy.spec).toEqual({ ...POLICY.spec, description: 'a\ufffd', budgets: undefined, mcpPolicy: {} });
  });

  it('leaves out the members that a store sets', () => {
    const stored = { uid: 'u', resourceVersion: '7', managedFields: [] };
    const written = readResource('AIPolicy', {
      ...POLICY,
      metadata: { ...POLICY.metadata, ...stored },
      status: { observedGeneration: 1 },
    });
    expect(written).toEqual(POLICY);
  });

  it('refuses an invalid resource with its violations', () => {
    const read = (): unknown => readResource('AIPolicy', { ...POLICY, spec: { ...POLICY.spec, description: 1 } });
    expect(read).toThrow(ResourceStoreError);
    expect(read).toThrow('The AIPolicy is invalid: /spec/description must be a string.');
  });
});

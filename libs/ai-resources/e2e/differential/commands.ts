import fc, { type Arbitrary } from 'fast-check';
import { SCHEMAS } from '../../src/generated/schemas.ts';
import type { ResourceKind } from '../../src/resource.ts';
import type { StructuralSchema } from '../../src/structural-schema.ts';
import { createArbitrary, mutate, mutation } from '../../src/validation/arbitrary-resources.fixture.ts';

/** One operation of a store. Versions and tokens are those of the same store. */
export type Command =
  | { readonly type: 'get'; readonly kind: ResourceKind; readonly name: string }
  | {
      readonly type: 'create';
      readonly kind: ResourceKind;
      readonly name: string;
      readonly metadata: Metadata;
      readonly spec: unknown;
    }
  | {
      readonly type: 'patch';
      readonly kind: ResourceKind;
      readonly name: string;
      readonly patch: Readonly<Record<string, unknown>>;
      readonly version: VersionChoice;
      readonly subresource?: 'status';
    }
  | { readonly type: 'delete'; readonly kind: ResourceKind; readonly name: string; readonly version: VersionChoice }
  | { readonly type: 'list'; readonly kind: ResourceKind; readonly limit: number; readonly labelSelector: string }
  /** The next page of the last list of the kind. */
  | { readonly type: 'continue'; readonly kind: ResourceKind };

/** The last version of the resource that this store gave, the one before, or one of no store. */
export type VersionChoice = 'last' | 'earlier' | 'foreign';

type Metadata = Readonly<Record<string, unknown>>;

const NAMES = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom('a', 'a', 'b', 'a.b') },
  { weight: 1, arbitrary: fc.constantFrom('A', '', '..', 'a'.repeat(254), 'c'.repeat(253)) },
);
const KINDS = fc.constantFrom<ResourceKind>('AIPolicy', 'AIPolicy', 'AIGateway');
const VERSIONS = fc.oneof(
  { weight: 12, arbitrary: fc.constant<VersionChoice>('last') },
  { weight: 1, arbitrary: fc.constantFrom<VersionChoice>('earlier', 'foreign') },
);
const LABEL_KEYS = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('a', 'team', 'acme.example/tier', 'constructor') },
  { weight: 1, arbitrary: fc.constantFrom('', 'A/b', '__proto__', 'a'.repeat(64), 'a.b/A_b') },
);
const LABEL_VALUES = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('', 'x', 'Y_1', 'v'.repeat(63)) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('-x', 'v'.repeat(64), 1, true, 'ä') },
);
const LABELS = fc.dictionary(LABEL_KEYS, LABEL_VALUES, { maxKeys: 2, noNullPrototype: true });
const METADATA = fc.record({ labels: LABELS, annotations: LABELS }, { requiredKeys: [] });
const LABEL_CHANGES = fc.dictionary(LABEL_KEYS, fc.option(LABEL_VALUES), { maxKeys: 2, noNullPrototype: true });
const METADATA_CHANGES = fc.record(
  { labels: fc.option(LABEL_CHANGES), annotations: fc.option(LABEL_CHANGES) },
  { requiredKeys: [] },
);
const SELECTORS = [
  ...Array<string>(8).fill(''),
  'team',
  '!team',
  'a=x',
  'a!=x',
  'a in (x,Y_1)',
  'acme.example/tier notin (x)',
  'a=',
  'constructor',
  'a in',
  'a,,b',
  'a>1',
];

/** A valid spec of each kind with as few members as possible. */
export const VALID_SPECS: Readonly<Record<ResourceKind, unknown>> = {
  AIPolicy: { gatewayRef: { name: 'a' }, principalMatchers: [{ claims: { a: 'b' } }] },
  AIGateway: { auth: { oidc: { issuer: 'https://a.example', audience: 'a' } } },
};

const getMember = (kind: ResourceKind, member: 'spec' | 'status'): StructuralSchema =>
  SCHEMAS[kind].properties?.[member] ?? {};

/** Changes one value in three at one place, which mostly makes it invalid. */
function mutateSome(valid: Arbitrary<unknown>): Arbitrary<unknown> {
  const mutated = fc.tuple(valid, mutation).map(([value, change]) => mutate(value, change));
  // JSON has no -0.
  return fc
    .oneof({ weight: 2, arbitrary: valid }, { weight: 1, arbitrary: mutated })
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
}

/** Generates changes of some members: new values, and null for removals. */
function generateChanges(kind: ResourceKind, member: 'spec' | 'status'): Arbitrary<unknown> {
  const { gatewayRef: _, ...properties } = getMember(kind, member).properties ?? {};
  const changes = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      fc.oneof({ weight: 8, arbitrary: createArbitrary(schema) }, { weight: 1, arbitrary: fc.constant(null) }),
    ]),
  );
  return fc.oneof(
    { weight: 40, arbitrary: mutateSome(fc.record(changes, { requiredKeys: [], noNullPrototype: true })) },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(null, 'a', [], { unknown: 1 }, { gatewayRef: { name: 'b' } }) },
  );
}

/** Generates an operation of a kind, or several that belong together. */
function generateForKind(kind: ResourceKind): Arbitrary<Command[]> {
  const base = { kind: fc.constant(kind), name: NAMES };
  const create = fc.record({
    type: fc.constant('create'),
    ...base,
    metadata: METADATA,
    spec: mutateSome(createArbitrary(getMember(kind, 'spec'))),
  });
  const patch = fc.record({
    type: fc.constant('patch'),
    ...base,
    version: VERSIONS,
    patch: fc.record({ spec: generateChanges(kind, 'spec'), metadata: METADATA_CHANGES }, { requiredKeys: [] }),
  });
  const status = fc.record({
    type: fc.constant('patch'),
    ...base,
    version: VERSIONS,
    subresource: fc.constant('status'),
    patch: fc.record({ status: generateChanges(kind, 'status') }),
  });
  const list = fc.record({
    type: fc.constant('list'),
    kind: base.kind,
    limit: fc.constantFrom(1, 1, 1, 2, 500),
    labelSelector: fc.constantFrom(...SELECTORS),
  });
  const get = fc.record({ type: fc.constant('get'), ...base });
  const remove = fc.record({ type: fc.constant('delete'), ...base, version: VERSIONS });
  const next = fc.record({ type: fc.constant('continue'), kind: base.kind });
  const write = fc.oneof(
    { weight: 5, arbitrary: create },
    { weight: 8, arbitrary: patch },
    { weight: 2, arbitrary: remove },
  );
  // Pages of one list, with writes in between.
  const pages = fc
    .tuple(list, fc.array(fc.oneof(next, next, write), { maxLength: 4 }))
    .map(([first, others]) => [first, ...others]);
  return fc.oneof(
    { weight: 15, arbitrary: write.map((command) => [command]) },
    { weight: 3, arbitrary: status.map((command) => [command]) },
    { weight: 2, arbitrary: get.map((command) => [command]) },
    { weight: 4, arbitrary: pages },
  );
}

const BY_KIND = { AIPolicy: generateForKind('AIPolicy'), AIGateway: generateForKind('AIGateway') };

/** Creations of most names at the beginning, so that later operations find resources. */
const BEGINNING: readonly Command[] = (['AIPolicy', 'AIGateway'] as const).flatMap((kind) =>
  ['a', 'b', 'a.b'].map((name) => ({
    type: 'create',
    kind,
    name,
    metadata: { labels: { a: 'x' } },
    spec: VALID_SPECS[kind],
  })),
);

/** Generates sequences of operations. */
export const COMMANDS: Arbitrary<Command[]> = fc
  .tuple(
    fc.subarray([...BEGINNING], { minLength: 4 }),
    fc.array(
      KINDS.chain((kind) => BY_KIND[kind]),
      { minLength: 1, maxLength: 20, size: 'max' },
    ),
  )
  .map(([beginning, others]) => [...beginning, ...others.flat()]);

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, manifest, startCluster } from '@gatehouse/testing/cluster';
import { effort } from '@gatehouse/testing/effort';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import fc from 'fast-check';
import { applyDefaults } from './defaults.ts';
import { METADATA_SCHEMA } from './metadata-schema.ts';
import { API_VERSION, type ResourceKind } from '../resource.ts';
import { getSchema } from './resource-schemas.ts';
import { createArbitrary, mutate, mutation } from './arbitrary-resources.fixture.ts';
import { GATEWAY, POLICY } from '../resources.fixture.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { findViolations } from './validation.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const COLLECTIONS = { AIGateway: 'aigateways', AIPolicy: 'aipolicies' };
const BASES = { AIGateway: GATEWAY, AIPolicy: POLICY };

/** The members of metadata with a rule. */
const metadata: StructuralSchema = {
  ...METADATA_SCHEMA,
  properties: Object.fromEntries(
    ['name', 'labels', 'annotations'].map((member) => [member, METADATA_SCHEMA.properties![member]!]),
  ),
};

describeWhen(kubernetesPrograms(), 'findViolations and a real API server', (programs) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    for (const kind of ['AIGateway', 'AIPolicy'] as const) {
      await cluster.create(DEFINITIONS, manifest(`crds/${COLLECTIONS[kind]}.gatehouse.dev.yaml`).join('\n'));
      // This waits until the API serves the definition. Requests with dryRun store nothing.
      await cluster.create(getPath(kind), { ...BASES[kind], metadata: { name: 'served' } });
    }
  }, 90_000);
  afterAll(() => cluster.close());

  it.each(['AIGateway', 'AIPolicy'] as const)(
    'accept the same valid %s and store the same spec',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(createDocument(kind), async (document) => {
          expect(findViolations(kind, document)).toEqual([]);
          await compare(kind, document);
        }),
        { numRuns: 60 * effort },
      );
    },
    600_000,
  );

  it.each(['AIGateway', 'AIPolicy'] as const)(
    'decide alike about changed documents of the kind %s',
    async (kind) => {
      const base = fc.oneof(fc.constant(BASES[kind]), createDocument(kind));
      await fc.assert(
        fc.asyncProperty(base, fc.array(mutation, { minLength: 1, maxLength: 2 }), (document, mutations) =>
          compare(kind, mutations.reduce(mutate, document)),
        ),
        { numRuns: 200 * effort },
      );
    },
    600_000,
  );

  it.each(['AIGateway', 'AIPolicy'] as const)(
    'decide alike about a status of the kind %s',
    async (kind) => {
      const served = JSON.parse((await cluster.call('GET', `${getPath(kind)}/served`)).body) as object;
      const path = `${getPath(kind)}/served/status?dryRun=All&fieldValidation=Strict`;
      const statuses = createArbitrary(getSchema(kind).properties!['status']!);
      await fc.assert(
        fc.asyncProperty(statuses, fc.array(mutation, { maxLength: 2 }), async (valid, mutations) => {
          const resource = {
            ...served,
            status: JSON.parse(JSON.stringify(mutations.reduce(mutate, valid))) as unknown,
          };
          const { status, body } = await cluster.call('PUT', path, resource);
          const reasons = findViolations(kind, resource);
          expect({ isAccepted: reasons.length === 0, reasons, body }).toEqual({
            isAccepted: status === 200,
            reasons,
            body,
          });
        }),
        { numRuns: 60 * effort },
      );
    },
    600_000,
  );

  it.each([
    ['a name of 253 characters', { name: 'a'.repeat(253) }],
    ['a name of 254 characters', { name: 'a'.repeat(254) }],
    ['a name of labels of more than 63 characters', { name: `${'a'.repeat(64)}.b` }],
    ['a name that ends with a line break', { name: 'a\n' }],
    ['a label with a name of 63 characters', { labels: { ['a'.repeat(63)]: '' } }],
    ['a label with a name of 64 characters', { labels: { ['a'.repeat(64)]: '' } }],
    ['a label with a prefix of 253 characters', { labels: { [`${'a'.repeat(253)}/b`]: '' } }],
    ['a label with a prefix of 254 characters', { labels: { [`${'a'.repeat(254)}/b`]: '' } }],
    ['a label with an upper-case prefix', { labels: { 'A.b/C': '' } }],
    ['a label with an empty prefix', { labels: { '/c': '' } }],
    ['a label of 63 characters', { labels: { a: 'b'.repeat(63) } }],
    ['a label of 64 characters', { labels: { a: 'b'.repeat(64) } }],
    ['a label that ends with a line break', { labels: { a: 'b\n' } }],
    ['an annotation with an upper-case prefix', { annotations: { 'A.b/C': '' } }],
    ['annotations of 262,144 bytes', { annotations: { a: 'b'.repeat(200_000), c: '😀'.repeat(15_535), de: '' } }],
    ['annotations of 262,145 bytes', { annotations: { a: 'b'.repeat(200_000), c: '😀'.repeat(15_535), de: 'f' } }],
    ['an unknown member of metadata', { colour: 'red' }],
    ['members of metadata that are null', { labels: null, annotations: null, finalizers: null }],
  ])('decide alike about %s', async (_, members) => {
    await compare('AIPolicy', { ...POLICY, metadata: { ...POLICY.metadata, ...members } });
  });

  /** A resource as its author writes it. Its status is not part of it. */
  function createDocument(kind: ResourceKind): fc.Arbitrary<unknown> {
    return fc.record({
      apiVersion: fc.constant(API_VERSION),
      kind: fc.constant(kind),
      metadata: createArbitrary(metadata),
      spec: createArbitrary(getSchema(kind).properties!['spec']!),
    });
  }

  async function compare(kind: ResourceKind, value: unknown): Promise<void> {
    // JSON has no -0.
    const document = JSON.parse(JSON.stringify(value)) as object;
    const { status, body } = await cluster.call('POST', `${getPath(kind)}?dryRun=All&fieldValidation=Strict`, document);
    const violations = findViolations(kind, document);
    const verdict = { isAccepted: violations.length === 0, reasons: violations };
    expect({ ...verdict, answer: body }).toEqual({ ...verdict, isAccepted: status === 201, answer: body });
    if (status === 201) {
      const { metadata, spec } = JSON.parse(body) as { metadata: object; spec: unknown };
      const stored = applyDefaults(kind, document) as { metadata: object; spec: unknown };
      expect(stored.spec).toEqual(spec);
      expect(metadata).toMatchObject(stored.metadata);
    } else expect([400, 422]).toContain(status);
  }
});

const getPath = (kind: ResourceKind): string =>
  `/apis/gatehouse.dev/v1alpha1/namespaces/gatehouse/${COLLECTIONS[kind]}`;

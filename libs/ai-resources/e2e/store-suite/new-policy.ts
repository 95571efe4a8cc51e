import type { AIPolicySpec } from '../../src/generated/types.ts';
import { POLICY } from '../../src/resources.fixture.ts';
import type { AIPolicy, NewResource } from '../../src/resource.ts';
import { ResourceStoreError, type ResourceStore } from '../../src/resource-store.ts';

/** A valid policy. @param spec members that differ */
export const newPolicy = (name: string, spec: Partial<AIPolicySpec> = {}): NewResource<AIPolicySpec> => ({
  metadata: { name },
  spec: { gatewayRef: { name: 'local' }, principalMatchers: [{ claims: { groups: 'team-a' } }], ...spec },
});

/** A policy with every member, with labels and with annotations. */
export const fullPolicy = (name: string): NewResource<AIPolicySpec> => ({
  metadata: { name, labels: { team: 'a' }, annotations: { 'example.com/note': 'any text' } },
  spec: structuredClone(POLICY.spec),
});

/** A policy with a member that its type does not permit. */
export const brokenPolicy = (name: string, spec: Readonly<Record<string, unknown>>): NewResource<AIPolicySpec> =>
  newPolicy(name, spec);

/** Creates policies, one after the other. */
export async function createPolicies(store: ResourceStore<AIPolicy>, names: readonly string[]): Promise<AIPolicy[]> {
  const created: AIPolicy[] = [];
  for (const name of names) created.push(await store.create(newPolicy(name)));
  return created;
}

/** The error that a store rejects with. @throws Error when the work succeeds */
export async function catchStoreError(work: Promise<unknown>): Promise<ResourceStoreError> {
  const error = await work.then(
    () => new Error('the work succeeded'),
    (cause: unknown) => cause,
  );
  if (error instanceof ResourceStoreError) return error;
  throw error;
}

/** The JSON pointers of the members that break a rule. */
export const listFields = ({ violations }: ResourceStoreError): string[] => violations.map(({ field }) => field).sort();

/** The order of two versions: negative when the first is older. */
export const compareVersions = (one: AIPolicy, other: AIPolicy): number =>
  Number(BigInt(one.metadata.resourceVersion) - BigInt(other.metadata.resourceVersion));

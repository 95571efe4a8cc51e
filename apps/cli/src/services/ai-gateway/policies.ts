import { collect, type Collected, type ListOptions } from '../manager/pages.ts';
import { type Answer, type Management, requireAnswer, type Schemas } from './management.ts';
import { isPolicy, isPolicyList } from './policy-form.ts';
import type { Operation } from './refusal-errors.ts';
import { readRefusal } from './refusal.ts';
import type { FieldSources, Violation } from './violations.ts';

/** An AIPolicy as AI gateway management returns it. */
export type Policy = Schemas['AIPolicy'];

/** A policy, and the ETag of its state. */
export type PolicyState = Answer<Policy>;

/** The filters of a list. */
export interface PolicyFilter {
  /** Label selector in the syntax of Kubernetes. */
  readonly label?: string | undefined;
  /** Name of an AIGateway. */
  readonly gateway?: string | undefined;
}

/** The roles of callers that read policies and the status of the gateway, for messages. */
export const EDITORS = 'policyEditor or admin';
const ADMIN = 'admin';
/** The largest page of a list that is filtered after it was cut. */
const LONGEST_PAGE = 500;
const LIST_FLAGS = { '/labelSelector': '--label', '/gatewayRef': '--gateway', '/limit': '--limit' } as const;

/** The facts of a request about one policy. */
const describeOperation = (roles: string, name: string): Operation => ({
  roles,
  policy: name,
  missing: { sentence: `There is no AI policy ${JSON.stringify(name)}`, list: 'gatehouse admin ai-policies list' },
});

/**
 * Lists policies, sorted by name. A page can be empty: the service filters by gateway after it cut
 * the page.
 */
export async function listPolicies(
  management: Management,
  { label, gateway }: PolicyFilter,
  wanted: ListOptions,
): Promise<Collected<Policy>> {
  const { items, more } = await collect(wanted, async ({ limit, cursor }) => {
    const query = {
      limit: gateway === undefined ? limit : LONGEST_PAGE,
      ...(cursor !== undefined && { pageToken: cursor }),
      ...(label !== undefined && { labelSelector: label }),
      ...(gateway !== undefined && { gatewayRef: gateway }),
    };
    const operation = { roles: EDITORS, flags: LIST_FLAGS };
    const call = management.api.GET('/v1/policies', { params: { query } });
    const { data } = await requireAnswer(management, call, operation, isPolicyList);
    // An empty token means the same as no token.
    return { items: data.items, ...(data.nextPageToken && { next_cursor: data.nextPageToken }) };
  });
  const shown = wanted.all ? items : items.slice(0, wanted.limit);
  return { items: shown, more: more || shown.length < items.length };
}

/** Reads a policy. @throws CliError when it does not exist */
export const readPolicy = (management: Management, name: string): Promise<PolicyState> =>
  requireAnswer(
    management,
    management.api.GET('/v1/policies/{name}', { params: { path: { name } } }),
    describeOperation(EDITORS, name),
    isPolicy,
  );

/**
 * Creates a policy.
 * @param sources the flags and the file that the user gave, for messages about fields
 */
export async function createPolicy(management: Management, policy: Policy, sources: FieldSources): Promise<Policy> {
  const name = policy.metadata?.name ?? '';
  const call = management.api.POST('/v1/policies', { body: policy });
  const { data } = await requireAnswer(management, call, { roles: ADMIN, policy: name, ...sources }, isPolicy);
  return data;
}

/** The result of a conditional write that the caller can continue from. */
export type PatchOutcome =
  | { readonly kind: 'saved'; readonly state: PolicyState }
  | { readonly kind: 'invalid'; readonly violations: readonly Violation[] }
  | { readonly kind: 'changed' };

/**
 * Patches a policy in the state of `etag`.
 * @param spec merge patch (RFC 7396) of its `spec`
 * @returns `invalid` for a patch that breaks a rule, `changed` when the policy has another state
 * @throws CliError for any other refusal
 */
export async function patchPolicy(
  management: Management,
  name: string,
  etag: string,
  spec: Readonly<Record<string, unknown>>,
): Promise<PatchOutcome> {
  const params = { path: { name }, header: { 'If-Match': etag } };
  const call = management.api.PATCH('/v1/policies/{name}', { params, body: { spec } });
  const { response, error } = await call;
  if (response.status === 412) return { kind: 'changed' };
  const { violations } = readRefusal(response, error);
  if (response.status === 422 && violations.length > 0) return { kind: 'invalid', violations };
  return { kind: 'saved', state: await requireAnswer(management, call, describeOperation(EDITORS, name), isPolicy) };
}

/** Deletes a policy in the state that was read. @throws ConflictError when it has another state */
export async function deletePolicy(management: Management, name: string, etag: string): Promise<void> {
  const params = { path: { name }, header: { 'If-Match': etag } };
  await requireAnswer(
    management,
    management.api.DELETE('/v1/policies/{name}', { params }),
    describeOperation(ADMIN, name),
  );
}

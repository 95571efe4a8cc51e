import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { hasType } from './claims.ts';
import type { PolicySet } from './policy-set.ts';
import type { PolicyAction } from './schema.ts';
import { slotFor } from './slots.ts';

/** Who asks: the directory's user id, all groups that hold the user directly or through subgroups, the verified claims. */
export interface Principal {
  readonly userId: string;
  readonly groupIds: Iterable<string>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What is asked of the set's connector. `name` is the upstream's own name of a tool or prompt, or the URI of a resource. */
export type Question =
  | { readonly action: 'connect' | 'list_tools' }
  | { readonly action: 'call_tool' | 'get_prompt' | 'read_resource'; readonly name: string };

/** The answer, the policies that it rests on, and what kept the evaluation from being sound (then it is a deny). */
export interface Decision {
  readonly allowed: boolean;
  readonly reasons: readonly string[];
  readonly errors: readonly string[];
}

const KINDS = { call_tool: 'Tool', get_prompt: 'Prompt', read_resource: 'Resource' } as const satisfies Partial<
  Record<PolicyAction, string>
>;

/**
 * Decides one question with one connector's policies. Deterministic; no policy means deny, a forbid wins over any permit.
 *
 * Cedar skips a policy that fails during evaluation, so a broken forbid would let a request pass: any evaluation error is
 * a deny here. So is a claim that a policy mentions and that the token carries with another type than the mapping says.
 */
export function decide(set: PolicySet, principal: Principal, question: Question): Decision {
  const attributes: Record<string, cedar.CedarValueJson> = {};
  for (const [attribute, { claim, type }] of set.claims) {
    const value = Object.hasOwn(principal.claims, claim) ? principal.claims[claim] : undefined;
    if (value === undefined) continue;
    if (!hasType(value, type)) return denied(`claim ${claim} is not of type ${type}`);
    attributes[attribute] = value;
  }
  const connector = { type: 'Connector', id: set.connectorId };
  const user = { type: 'User', id: principal.userId };
  const parents = [...principal.groupIds]
    .filter((id) => set.mentions.groups.has(id))
    .map((id) => ({ type: 'Group', id }));
  const entities: cedar.EntityJson[] = [{ uid: user, attrs: attributes, parents }];
  let resource: cedar.TypeAndId = connector;
  if ('name' in question) {
    resource = { type: KINDS[question.action], id: question.name };
    const attrs = question.action === 'read_resource' ? { uri: question.name } : { name: question.name };
    entities.push({ uid: resource, attrs, parents: [connector] });
  }
  const answer = cedar.statefulIsAuthorized({
    principal: user,
    action: { type: 'Action', id: question.action },
    resource,
    context: {},
    preparsedPolicySetId: slotFor(set),
    entities,
  });
  if (answer.type === 'failure') return denied(...answer.errors.map(({ message }) => message));
  const { decision, diagnostics } = answer.response;
  const errors = diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`).sort();
  return { allowed: decision === 'allow' && errors.length === 0, reasons: [...diagnostics.reason].sort(), errors };
}

function denied(...errors: string[]): Decision {
  return { allowed: false, reasons: [], errors };
}

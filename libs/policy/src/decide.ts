import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { hasType } from './claims.ts';
import { ask as askEngine, EngineFailure } from './engine.ts';
import { MAX_MATCHED } from './limits.ts';
import { Entity, hasWholeTexts, type PlainAnswer } from './plain-policies.ts';
import type { PolicySet, PolicySlice } from './policy-set.ts';
import type { PolicyAction } from './schema.ts';
import { shutOut, slotFor } from './slots.ts';

/**
 * Who asks: the directory's user id, all groups that hold the user directly or through subgroups,
 * the verified claims.
 */
export interface Principal {
  readonly userId: string;
  readonly groupIds: ReadonlySet<string>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * What is asked of the set's connector. `name` is the upstream's own name of a tool or prompt, or
 * the URI of a resource.
 */
export type Question =
  | { readonly action: 'connect' | 'list_tools' }
  | { readonly action: 'call_tool' | 'get_prompt' | 'read_resource'; readonly name: string };

/**
 * The answer, the policies that it rests on, and what kept the evaluation from being sound (then it
 * is a deny).
 */
export interface Decision {
  readonly allowed: boolean;
  readonly reasons: readonly string[];
  readonly errors: readonly string[];
}

const KINDS = { call_tool: 'Tool', get_prompt: 'Prompt', read_resource: 'Resource' } as const satisfies Partial<
  Record<PolicyAction, string>
>;

/**
 * Decides one question with one connector's policies. Deterministic; no policy means deny, a forbid
 * wins over any permit.
 *
 * Cedar skips a policy that fails during evaluation, so a broken forbid would let a request pass:
 * any evaluation error is a deny here. So is a claim that a policy mentions and that the token
 * carries with another type than the mapping says, or that is not mapped at all; and a text too
 * long to be compared with patterns.
 *
 * Compiled grants need no engine: their meaning is one membership. A thousand of them cost as much
 * as one. Nor do plain policies, which only compare.
 */
export function decide(set: PolicySet, principal: Principal, question: Question, ask: Evaluate = evaluate): Decision {
  const slice = set.slices[question.action];
  const claims = claimsFor(set, slice, principal.claims);
  if (typeof claims === 'string') return denied(claims);
  const granting = grantsFor(set, principal.groupIds);
  const verdict = slice.empty ? NOTHING : ask(set, principal, claims, question);
  if (granting.length === 0 || verdict.errors.length > 0) return verdict;
  const forbidden = !verdict.allowed && verdict.reasons.length > 0;
  return forbidden ? verdict : { allowed: true, reasons: [...granting, ...verdict.reasons].sort(), errors: [] };
}

/** What a tool, prompt or resource is known by. */
const attributeOf = (action: keyof typeof KINDS): 'name' | 'uri' => (action === 'read_resource' ? 'uri' : 'name');

/**
 * Asks the policies beside the grants that can apply to the question's action.
 * @param claims of the principal that these mention, checked and by attribute
 */
export type Evaluate = (
  set: PolicySet,
  principal: Principal,
  claims: Record<string, cedar.CedarValueJson>,
  question: Question,
) => Decision;

const NOTHING: Decision = { allowed: false, reasons: [], errors: [] };

/** The names of the grants that hold for a member of these groups. */
function grantsFor({ grants }: PolicySet, groupIds: ReadonlySet<string>): string[] {
  const [fewer, name] =
    grants.size <= groupIds.size
      ? [grants.keys(), (id: string) => (groupIds.has(id) ? grants.get(id) : undefined)]
      : [groupIds, (id: string) => grants.get(id)];
  const names: string[] = [];
  for (const id of fewer) {
    const grant = name(id);
    if (grant !== undefined) names.push(grant);
  }
  return names;
}

/**
 * The claims that a slice's policies mention, by attribute; a sentence where any that the set
 * mentions cannot be decided upon: what is wrong with a token does not depend on what is asked.
 */
function claimsFor(
  set: PolicySet,
  slice: PolicySlice,
  claims: Readonly<Record<string, unknown>>,
): Record<string, cedar.CedarValueJson> | string {
  if (set.unmapped.length > 0) return `${set.unmapped.join(', ')}: no claim that policies can speak about`;
  const attributes: Record<string, cedar.CedarValueJson> = {};
  for (const [attribute, { claim, type }] of set.claims) {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    if (value === undefined) continue;
    if (!hasType(value, type)) return `claim ${claim} is not of type ${type}`;
    if (set.matches && typeof value === 'string' && value.length > MAX_MATCHED)
      return `claim ${claim} is longer than ${MAX_MATCHED} characters`;
    if (slice.attributes.has(attribute)) attributes[attribute] = value;
  }
  return attributes;
}

/** Decides plain policies by themselves, and asks the engine about all others. */
export const evaluate: Evaluate = (set, principal, claims, question) => {
  if ('name' in question && set.matches && question.name.length > MAX_MATCHED)
    return denied(`the name is longer than ${MAX_MATCHED} characters`);
  const texts = 'name' in question ? [principal.userId, question.name] : [principal.userId];
  // Cedar takes none of these.
  if (!hasWholeTexts([...texts, ...Object.values(claims)]))
    return denied('a name or a claim has half a character in it');
  const answer = plainly(set, principal, claims, question);
  return answer === undefined ? askCedar(set, principal, claims, question) : { ...answer, errors: [] };
};

const plainly = (...[set, { userId, groupIds }, claims, question]: Parameters<Evaluate>): PlainAnswer | undefined => {
  const { plain } = set.slices[question.action];
  const { connectorId } = set;
  return plain?.decide({
    principal: new Entity('User', userId),
    groupIds,
    claims,
    action: new Entity('Action', question.action),
    resource:
      'name' in question ? new Entity(KINDS[question.action], question.name) : new Entity('Connector', connectorId),
    attributes: 'name' in question ? { [attributeOf(question.action)]: question.name } : {},
    connectorId,
  });
};

/**
 * Asks the engine, and tells it only of what the policies speak about: it costs by what it is told.
 */
export const askCedar: Evaluate = (set, { userId, groupIds }, claims, question) => {
  const slice = set.slices[question.action];
  const connector = { type: 'Connector', id: set.connectorId };
  const user = { type: 'User', id: userId };
  const parents = [...slice.groups].filter((id) => groupIds.has(id)).map((id) => ({ type: 'Group', id }));
  const entities: cedar.EntityJson[] = [{ uid: user, attrs: claims, parents }];
  let resource: cedar.TypeAndId = connector;
  if ('name' in question) {
    resource = { type: KINDS[question.action], id: question.name };
    const attribute = attributeOf(question.action);
    const attrs = slice.attributes.has(attribute) ? { [attribute]: question.name } : {};
    entities.push({ uid: resource, attrs, parents: slice.namesConnectors ? [connector] : [] });
  }
  let answer: cedar.AuthorizationAnswer;
  try {
    const preparsedPolicySetId = slotFor(set, slice);
    const action = { type: 'Action', id: question.action };
    answer = askEngine((engine) =>
      engine.statefulIsAuthorized({ principal: user, action, resource, context: {}, preparsedPolicySetId, entities }),
    );
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    shutOut(set);
    return denied(error.message);
  }
  if (answer.type === 'failure') return denied(...answer.errors.map(({ message }) => message));
  const { decision, diagnostics } = answer.response;
  const errors = diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`).sort();
  return { allowed: decision === 'allow' && errors.length === 0, reasons: [...diagnostics.reason].sort(), errors };
};

function denied(...errors: string[]): Decision {
  return { allowed: false, reasons: [], errors };
}

import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { hasType } from './claims.ts';
import { callEngine, EngineError } from './engine.ts';
import { MAX_MATCHED_CHARACTERS } from './limits.ts';
import { blockPolicySet, getParsedSetName } from './parsed-policy-sets.ts';
import type { PolicySet } from './policy-set.ts';
import type { PolicyAction } from './schema.ts';

/** The user of a request. */
export interface Principal {
  /** The user's id in the directory. */
  readonly userId: string;
  /** All groups of the user, direct ones and those through subgroups. */
  readonly groupIds: ReadonlySet<string>;
  /** The claims of the verified token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * An action on the connector of a policy set. `name` is the upstream's name of a tool or prompt, or
 * the URI of a resource.
 */
export type AuthorizationRequest =
  | { readonly action: 'connect' | 'list_tools' }
  | { readonly action: 'call_tool' | 'get_prompt' | 'read_resource'; readonly name: string };

/**
 * The decision, the names of the policies that determined it, and the errors of the evaluation. A
 * decision with errors is a deny.
 */
export interface Decision {
  readonly allowed: boolean;
  readonly reasons: readonly string[];
  readonly errors: readonly string[];
}

/** The part of a principal on which the decision of a policy set depends. */
export interface PrincipalFacts {
  readonly userId: string;
  /** Those of the set's groups that have the user, as ascending positions in `PolicySet.groups`. */
  readonly groups: readonly number[];
  /** The claims that the policies mention, by attribute. */
  readonly claims: Readonly<Record<string, cedar.CedarValueJson>>;
}

/**
 * Decides one request with one connector's policies. Deterministic: no permit means deny, and a
 * forbid wins over all permits.
 *
 * Cedar skips a policy whose evaluation fails. A failed forbid would therefore let a request pass.
 * Here each evaluation error is a deny. These are denies too: a mentioned claim with another type
 * than its mapping, a mentioned claim without a mapping, and a text that is too long for patterns.
 */
export function decide(set: PolicySet, principal: Principal, request: AuthorizationRequest): Decision {
  const facts = collectFacts(set, principal, request);
  return 'errors' in facts ? facts : evaluate(set, facts, request);
}

/**
 * Collects the facts for a decision. Returns a deny when Gatehouse's own rules refuse the request.
 */
export function collectFacts(
  set: PolicySet,
  { userId, groupIds, claims }: Principal,
  request: AuthorizationRequest,
): PrincipalFacts | Decision {
  const attributes = collectMentionedClaims(set, claims);
  if (typeof attributes === 'string') return deny(attributes);
  const name = 'name' in request ? request.name : '';
  if (set.hasPatterns && name.length > MAX_MATCHED_CHARACTERS)
    return deny(`the name is longer than ${MAX_MATCHED_CHARACTERS} characters`);
  // UTF-8 cannot express an unpaired surrogate, so Cedar would receive another text.
  if (![userId, name, ...Object.values(attributes).flat()].every((text) => isWellFormed(text)))
    return deny('a name or a claim contains half of a surrogate pair');
  return { userId, groups: listMentionedGroups(set, groupIds), claims: attributes };
}

const isWellFormed = (value: unknown): boolean => typeof value !== 'string' || value.isWellFormed();

/** Iterates over the smaller side: a policy and a user may both have a thousand groups. */
function listMentionedGroups({ groups, positionOfGroup }: PolicySet, groupIds: ReadonlySet<string>): number[] {
  const positions: number[] = [];
  if (groups.length <= groupIds.size) {
    for (const [position, id] of groups.entries()) if (groupIds.has(id)) positions.push(position);
    return positions;
  }
  for (const id of groupIds) {
    const position = positionOfGroup.get(id);
    if (position !== undefined) positions.push(position);
  }
  return positions.sort((a, b) => a - b);
}

/** Returns the mentioned claims by attribute, or the reason why the policies cannot decide. */
function collectMentionedClaims(
  set: PolicySet,
  claims: Readonly<Record<string, unknown>>,
): Record<string, cedar.CedarValueJson> | string {
  if (set.unmapped.length > 0) return `the policies mention claims without a mapping: ${set.unmapped.join(', ')}`;
  const attributes: Record<string, cedar.CedarValueJson> = {};
  for (const [attribute, { claim, type }] of set.claims) {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    if (value === undefined) continue;
    if (!hasType(value, type)) return `claim ${claim} is not of type ${type}`;
    if (set.hasPatterns && typeof value === 'string' && value.length > MAX_MATCHED_CHARACTERS)
      return `claim ${claim} is longer than ${MAX_MATCHED_CHARACTERS} characters`;
    attributes[attribute] = value;
  }
  return attributes;
}

const RESOURCE_TYPES = {
  call_tool: 'Tool',
  get_prompt: 'Prompt',
  read_resource: 'Resource',
} as const satisfies Partial<Record<PolicyAction, string>>;

/** Asks Cedar. Passes only the facts, because Cedar's time grows with the size of the entities. */
export function evaluate(set: PolicySet, facts: PrincipalFacts, request: AuthorizationRequest): Decision {
  let answer: cedar.AuthorizationAnswer;
  try {
    const preparsedPolicySetId = getParsedSetName(set);
    const call = { ...createCedarRequest(set, facts, request), preparsedPolicySetId };
    answer = callEngine((engine) => engine.statefulIsAuthorized(call));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    blockPolicySet(set);
    return deny(error.message);
  }
  if (answer.type === 'failure') return deny(...answer.errors.map(({ message }) => message));
  const { decision, diagnostics } = answer.response;
  const errors = diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`).sort();
  const reasons = diagnostics.reason.flatMap((name) => listPolicyNames(set, name, facts.groups)).sort();
  return { allowed: decision === 'allow' && errors.length === 0, reasons, errors };
}

function createCedarRequest(set: PolicySet, { userId, groups, claims }: PrincipalFacts, request: AuthorizationRequest) {
  const principal = { type: 'User', id: userId };
  const connector = { type: 'Connector', id: set.connectorId };
  const parents = listGroupIds(set, groups).map((id) => ({ type: 'Group', id }));
  const user: cedar.EntityJson = { uid: principal, attrs: claims, parents };
  const action = { type: 'Action', id: request.action };
  if (!('name' in request)) return { principal, action, resource: connector, context: {}, entities: [user] };
  const resource = { type: RESOURCE_TYPES[request.action], id: request.name };
  const attrs = { [request.action === 'read_resource' ? 'uri' : 'name']: request.name };
  const entities = [user, { uid: resource, attrs, parents: [connector] }];
  return { principal, action, resource, context: {}, entities };
}

/** The names in the document for a policy of the set: combined grants stand for the user's own. */
function listPolicyNames(set: PolicySet, name: string, groups: readonly number[]): readonly string[] {
  const { grants } = set;
  if (name !== grants?.name) return [name];
  return listGroupIds(set, groups)
    .map((id) => grants.nameByGroup.get(id))
    .filter((grant) => grant !== undefined);
}

const listGroupIds = ({ groups }: PolicySet, positions: readonly number[]): string[] =>
  positions.map((position) => groups[position]).filter((id) => id !== undefined);

function deny(...errors: string[]): Decision {
  return { allowed: false, reasons: [], errors };
}

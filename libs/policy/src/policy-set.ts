import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { type ClaimMapping, attributeOf } from './claims.ts';
import { parseDocument, textsOf } from './document.ts';
import { mentionsOf, patternsIn } from './mentions.ts';
import type { ParsedPolicy } from './named-policies.ts';
import { PlainPolicies } from './plain-policies.ts';
import { ACTIONS, type PolicyAction } from './schema.ts';

/**
 * The policies of one connector, ready to decide. It speaks about this connector only and is never
 * merged with another.
 */
export interface PolicySet {
  readonly connectorId: string;
  /** Compiled grants of this connector: group -> name of the policy. */
  readonly grants: ReadonlyMap<string, string>;
  /** All other policies, by the action that they can apply to; what follows is about them. */
  readonly slices: Readonly<Record<PolicyAction, PolicySlice>>;
  /** Whether the policies compare texts with patterns, which takes its time for long ones. */
  readonly matches: boolean;
  /**
   * Attribute of the principal -> claim of the token and its type; only those that a policy
   * mentions.
   */
  readonly claims: ReadonlyMap<string, { readonly claim: string; readonly type: ClaimMapping[string] }>;
  /** Claims that a policy mentions and nobody maps (any more): nothing can be decided. */
  readonly unmapped: readonly string[];
}

/**
 * The policies of a set whose scope an action is in: no other can permit it, forbid it or fail over
 * it, and each costs the engine time.
 */
export interface PolicySlice {
  /** Text by name. */
  readonly policies: Readonly<Record<string, string>>;
  /** Whether there are none. */
  readonly empty: boolean;
  /** The same policies, where all of them can be decided without Cedar. */
  readonly plain: PlainPolicies | undefined;
  /** Groups that the policies mention. */
  readonly groups: ReadonlySet<string>;
  /** Attributes that the policies mention, of whatever. */
  readonly attributes: ReadonlySet<string>;
  /** Whether the policies tell people apart by their id. */
  readonly namesUsers: boolean;
  /** Whether the policies ask what belongs to a connector. */
  readonly namesConnectors: boolean;
}

/**
 * Reads a connector's document (from the directory or from a gateway's snapshot) into a set that
 * `decide` takes.
 *
 * @throws DocumentError when the text does not parse or is too much
 */
export function preparePolicySet(connectorId: string, document: string, claims: ClaimMapping): PolicySet {
  const grants = new Map<string, string>();
  const policies = new Map<string, ParsedPolicy>();
  for (const [name, policy] of parseDocument(document)) {
    const { grant } = policy;
    if (grant === undefined) policies.set(name, policy);
    // A grant of another connector permits nothing here.
    else if (grant.connectorId === connectorId) grants.set(grant.groupId, name);
  }
  const attributes = new Set(mentionsOf(policies).attributes.map(({ id }) => id));
  const mapped = new Map(Object.entries(claims).map(([claim, type]) => [attributeOf(claim), { claim, type }]));
  return {
    connectorId,
    grants,
    slices: slicesOf(policies),
    matches: [...policies.values()].some(({ tree }) => patternsIn(tree) > 0),
    claims: new Map([...mapped].filter(([attribute]) => attributes.has(attribute))),
    unmapped: [...attributes].filter((attribute) => attribute.startsWith('claim_') && !mapped.has(attribute)),
  };
}

/** Actions with the same policies share a slice, so that the engine holds them once. */
function slicesOf(policies: ReadonlyMap<string, ParsedPolicy>): Record<PolicyAction, PolicySlice> {
  const made = new Map<string, PolicySlice>();
  const sliceFor = (action: PolicyAction): PolicySlice => {
    const own = new Map([...policies].filter(([, { tree }]) => tree === undefined || mayApply(tree.action, action)));
    const key = JSON.stringify([...own.keys()]);
    const slice = made.get(key) ?? sliceOf(own);
    made.set(key, slice);
    return slice;
  };
  return Object.fromEntries(ACTIONS.map((action) => [action, sliceFor(action)])) as Record<PolicyAction, PolicySlice>;
}

function sliceOf(policies: ReadonlyMap<string, ParsedPolicy>): PolicySlice {
  const mentions = mentionsOf(policies);
  return {
    policies: textsOf(policies),
    empty: policies.size === 0,
    plain: PlainPolicies.of(policies),
    groups: new Set(mentions.groups.map(({ id }) => id)),
    attributes: new Set(mentions.attributes.map(({ id }) => id)),
    namesUsers: mentions.users.length > 0,
    namesConnectors: mentions.connectors.length > 0,
  };
}

/**
 * Whether a scope lets the action in. The schema has no groups of actions, so `in` is one of them;
 * what else Cedar may say lets all in.
 */
function mayApply(scope: cedar.PolicyJson['action'], action: PolicyAction): boolean {
  if (!('entity' in scope) && !('entities' in scope)) return true;
  const named = 'entities' in scope ? scope.entities : [scope.entity];
  return named.some((uid) => !('type' in uid) || uid.type !== 'Action' || uid.id === action);
}

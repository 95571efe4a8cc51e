/**
 * Decides with policies over entities of any types, such as those of an authorization configuration
 * of a workload. The policies of connectors have a schema instead (`policy-set.ts`).
 */
import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { LRUCache } from 'lru-cache';
import { DocumentError, type DocumentFault, parseDocument } from '../document.ts';
import { callEngine, EngineError } from '../engine.ts';
import { MAX_MATCHED_CHARACTERS, MAX_PATTERNS, MAX_POLICIES } from '../limits.ts';
import { countPatternCharacters } from '../mentions.ts';
import { blockPolicySet, getParsedSetName, type StoredPolicies } from '../parsed-policy-sets.ts';
import { collectFacts, type PolicyFacts } from './policy-facts.ts';
import { getKey, getUid, type StaticEntities } from './static-entities.ts';

/** One question for the policies. The entities are those of the request itself. */
export interface EntityRequest {
  readonly principal: cedar.EntityJson & { readonly uid: cedar.TypeAndId };
  readonly action: string;
  readonly resource: cedar.EntityJson & { readonly uid: cedar.TypeAndId };
  readonly context: Readonly<Record<string, cedar.CedarValueJson>>;
}

/** A decision, the names of the policies that determined it, and errors. These make it a deny. */
export interface EntityDecision {
  readonly allowed: boolean;
  readonly reasons: readonly string[];
  readonly errors: readonly string[];
}

/** A policy that is not valid. */
export interface PolicyFault extends DocumentFault {
  /** Its index in the list. */
  readonly index: number;
}

/** The list of policies is not valid. */
export class PolicyListError extends DocumentError {
  constructor(readonly fault: PolicyFault) {
    super([fault]);
  }
}

const MAX_DECISIONS = 10_000;
const MAX_KEY_LENGTH = 8_192;
const MAX_KEYS_LENGTH = 8_000_000;

/** Policies and entities, ready to decide. */
export class EntityPolicies {
  private readonly decisions = new LRUCache<string, EntityDecision>({
    max: MAX_DECISIONS,
    maxSize: MAX_KEYS_LENGTH,
    maxEntrySize: MAX_KEY_LENGTH,
    sizeCalculation: (_, key) => key.length,
  });

  private constructor(
    private readonly stored: StoredPolicies,
    private readonly facts: PolicyFacts,
    private readonly entities: StaticEntities,
  ) {}

  /**
   * @param texts Cedar policies, usually one for each text
   * @throws PolicyListError with the index of the text and the position in it
   */
  static parse(texts: readonly string[], entities: StaticEntities): EntityPolicies {
    const policies = new Map<string, string>();
    const trees: cedar.PolicyJson[] = [];
    let patterns = 0;
    for (const [index, text] of texts.entries()) {
      for (const [name, policy] of parseText(text, index)) {
        const tree = policy.tree ?? readTree(policy.text, index);
        patterns += countPatternCharacters(tree);
        policies.set(`policies.${index}${name === 'policy0' ? '' : `.${name}`}`, policy.text);
        trees.push(tree);
      }
      if (policies.size > MAX_POLICIES) throw createFault(index, `there are more than ${MAX_POLICIES} policies`);
      if (patterns > MAX_PATTERNS)
        throw createFault(index, `the patterns of "like" have more than ${MAX_PATTERNS} characters together`);
    }
    return new EntityPolicies({ policies: Object.fromEntries(policies) }, collectFacts(trees), entities);
  }

  /** The attributes that policies use; undefined: all, for a policy with a whole record. */
  get attributes(): ReadonlySet<string> | undefined {
    return this.facts.attributes;
  }

  /** Whether a policy names the entity. */
  hasEntity({ type, id }: cedar.TypeAndId): boolean {
    return this.facts.entities.some((named) => named.type === type && named.id === id);
  }

  /**
   * Decides. No permit means deny, a forbid wins over all permits, and an error is a deny.
   *
   * A static entity with the identity of the principal or the resource adds its parents, and its
   * attributes where the request has no others.
   */
  decide(request: EntityRequest): EntityDecision {
    const call = this.createCall(request);
    if (typeof call === 'string') return deny(call);
    const key = JSON.stringify(call);
    // UTF-8 cannot express half of a surrogate pair, so Cedar would receive another text.
    if (key.includes('\\ud') && /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(key))
      return deny('a text contains half of a surrogate pair');
    const known = this.decisions.get(key);
    if (known !== undefined) return known;
    const decision = this.evaluate(call);
    this.decisions.set(key, decision);
    return decision;
  }

  /** @returns the question for Cedar, or the reason why it is not asked */
  private createCall(request: EntityRequest): Omit<cedar.StatefulAuthorizationCall, 'preparsedPolicySetId'> | string {
    const principal = this.merge(request.principal);
    const resource = this.merge(request.resource);
    const context = this.select(request.context);
    if ([principal.attrs, resource.attrs, context].some((attributes) => this.hasLongMatch(attributes)))
      return `a text that policies compare with a pattern has more than ${MAX_MATCHED_CHARACTERS} characters`;
    const action = { type: 'Action', id: request.action };
    const uids = [
      principal.uid,
      resource.uid,
      action,
      ...this.facts.entities,
      ...principal.parents,
      ...resource.parents,
    ];
    const others = this.entities.listReachable({
      uids: uids.map(getUid),
      known: new Set([getKey(principal.uid), getKey(resource.uid)]),
    });
    const entities = [principal, resource, ...others];
    return { principal: principal.uid, action, resource: resource.uid, context, entities };
  }

  private merge<T extends cedar.EntityJson & { readonly uid: cedar.TypeAndId }>(entity: T): T {
    const fixed = this.entities.find(entity.uid);
    const attrs = this.select(entity.attrs);
    if (fixed === undefined) return { ...entity, attrs };
    return { ...fixed, ...entity, attrs: { ...fixed.attrs, ...attrs }, parents: [...fixed.parents, ...entity.parents] };
  }

  /** Takes the attributes that policies use. Cedar's time grows with their number. */
  private select(attributes: Readonly<Record<string, cedar.CedarValueJson>>): Record<string, cedar.CedarValueJson> {
    const { attributes: used } = this.facts;
    if (used === undefined) return attributes;
    const selected: [string, cedar.CedarValueJson][] = [];
    for (const name of used) if (Object.hasOwn(attributes, name)) selected.push([name, attributes[name] ?? null]);
    return Object.fromEntries(selected);
  }

  private hasLongMatch(attributes: Readonly<Record<string, cedar.CedarValueJson>>): boolean {
    return [...this.facts.matched].some((name) => Object.hasOwn(attributes, name) && hasLongText(attributes[name]));
  }

  private evaluate(call: Omit<cedar.StatefulAuthorizationCall, 'preparsedPolicySetId'>): EntityDecision {
    let answer: cedar.AuthorizationAnswer;
    try {
      const preparsedPolicySetId = getParsedSetName(this.stored);
      answer = callEngine((engine) => engine.statefulIsAuthorized({ ...call, preparsedPolicySetId }));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      blockPolicySet(this.stored);
      return deny(error.message);
    }
    if (answer.type === 'failure') return deny(...answer.errors.map(({ message }) => message));
    const { decision, diagnostics } = answer.response;
    const errors = diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`).sort();
    return { allowed: decision === 'allow' && errors.length === 0, reasons: diagnostics.reason.toSorted(), errors };
  }
}

const deny = (...errors: string[]): EntityDecision => ({ allowed: false, reasons: [], errors });

function parseText(text: string, index: number): ReturnType<typeof parseDocument> {
  let named: ReturnType<typeof parseDocument>;
  try {
    named = parseDocument(text);
  } catch (error) {
    const fault = error instanceof DocumentError ? error.faults[0] : undefined;
    throw fault === undefined ? error : new PolicyListError({ ...fault, index });
  }
  if (named.size === 0) throw createFault(index, 'the text has no policy');
  return named;
}

function readTree(text: string, index: number): cedar.PolicyJson {
  const converted = callEngine((engine) => engine.policyToJson(text));
  if (converted.type === 'failure') throw createFault(index, converted.errors[0]?.message ?? 'the policy is not valid');
  return converted.json;
}

const createFault = (index: number, message: string): PolicyListError =>
  new PolicyListError({ index, message, line: 1, column: 1 });

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > MAX_MATCHED_CHARACTERS;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongText);
}

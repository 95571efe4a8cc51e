import { EntityPolicies } from '@gatehouse/policy/entities/entity-policies';
import { StaticEntities } from '@gatehouse/policy/entities/static-entities';
import { LRUCache } from 'lru-cache';
import type { CedarRules } from './authorization-config.ts';
import type { AuthorizedUse, Authorizer, UseRequest } from './authorizer.ts';
import { MAX_ARGUMENTS, toArgumentAttributes, toClaimAttributes } from './cedar-values.ts';
import { listGroups } from './groups.ts';
import { createLocalClaims } from './local-user.ts';

const RESOURCES: Readonly<Record<AuthorizedUse, { type: string; attrs: { operation: string; feature: string } }>> = {
  call_tool: { type: 'Tool', attrs: { operation: 'call', feature: 'tool' } },
  get_prompt: { type: 'Prompt', attrs: { operation: 'get', feature: 'prompt' } },
  read_resource: { type: 'Resource', attrs: { operation: 'read', feature: 'resource' } },
  get_task: { type: 'Task', attrs: { operation: 'get', feature: 'task' } },
  update_task: { type: 'Task', attrs: { operation: 'update', feature: 'task' } },
  cancel_task: { type: 'Task', attrs: { operation: 'cancel', feature: 'task' } },
  call_method: { type: 'Method', attrs: { operation: 'call', feature: 'method' } },
};

const DEFAULT_GROUP_TYPE = 'THVGroup';
/** The number of different failures of policies that are reported. */
const MAX_REPORTS = 100;
const MAX_DECISIONS = 10_000;
/** Decisions on things with longer names are not kept. */
const MAX_KEPT_ID_LENGTH = 512;

type Claims = Readonly<Record<string, unknown>>;

/** A caller, with the number under which its decisions are kept. */
interface Caller {
  readonly number: number;
  /** Undefined for a caller without an identity, who may do nothing. */
  readonly principal: ReturnType<CedarAuthorizer['createPrincipal']>;
}

/** A decision, which stands while the server gives the tool the same hints. */
interface KeptDecision {
  readonly allowed: boolean;
  readonly hints: UseRequest['hints'];
}

type Log = (line: { readonly level: 'warn' | 'error'; readonly message: string; readonly cause?: unknown }) => void;

/**
 * Parses the policies and entities of an authorization configuration.
 * @throws PolicyListError, EntitiesError
 */
export function parseRules(rules: CedarRules): EntityPolicies {
  return EntityPolicies.parse(rules.policies, StaticEntities.parse(parseEntities(rules.entities_json)));
}

function parseEntities(text: string | null | undefined): unknown {
  return text == null || text.trim() === '' ? [] : (JSON.parse(text) as unknown);
}

/** Decides with the Cedar policies of an authorization configuration. */
export class CedarAuthorizer implements Authorizer {
  private readonly policies: EntityPolicies;
  private readonly localClaims = createLocalClaims();
  private readonly reported = new Set<string>();
  /** Callers by their claims, which are one object as long as the same token is used. */
  private readonly callers = new WeakMap<Claims, Caller>();
  private callerCount = 0;
  /** Decisions that depend on nothing but the caller, the use, the id and the hints. */
  private readonly kept = new LRUCache<string, KeptDecision>({ max: MAX_DECISIONS });
  private readonly usesArguments: boolean;

  /** @throws PolicyListError, EntitiesError */
  constructor(
    private readonly rules: CedarRules,
    private readonly log: Log,
  ) {
    this.policies = parseRules(rules);
    this.usesArguments = usesArguments(this.policies.attributes);
  }

  allows(request: UseRequest): boolean {
    try {
      return this.decide(request);
    } catch (cause) {
      this.log({ level: 'error', message: 'A policy could not decide, so the request is refused.', cause });
      return false;
    }
  }

  private decide(request: UseRequest): boolean {
    const { claims = this.localClaims, use, id, hints } = request;
    const caller = this.getCaller(claims);
    if (this.usesArguments || id.length > MAX_KEPT_ID_LENGTH) return this.evaluate(request, caller);
    const key = `${caller.number} ${use} ${id}`;
    const kept = this.kept.get(key);
    if (kept !== undefined && kept.hints === hints) return kept.allowed;
    const allowed = this.evaluate(request, caller);
    this.kept.set(key, { allowed, hints });
    return allowed;
  }

  private evaluate({ use, id, args, hints }: UseRequest, { principal }: Caller): boolean {
    if (principal === undefined) return false;
    // A policy for everything has no opinion about methods that its author does not know.
    if (use === 'call_method' && !this.policies.hasEntity({ type: 'Action', id: use })) return false;
    const argumentAttributes = toArgumentAttributes(args, this.policies.attributes);
    if (argumentAttributes === undefined) {
      this.report(`${use} of ${JSON.stringify(id.slice(0, 200))}: more than ${MAX_ARGUMENTS} arguments`);
      return false;
    }
    const { type, attrs } = RESOURCES[use];
    const name = use === 'read_resource' ? { uri: id, name: id } : { name: id };
    const decision = this.policies.decide({
      principal,
      action: use,
      resource: { uid: { type, id }, attrs: { ...hints, ...argumentAttributes, ...attrs, ...name }, parents: [] },
      context: { ...principal.attrs, ...argumentAttributes },
    });
    for (const error of decision.errors) this.report(`${use} of ${type} ${JSON.stringify(id.slice(0, 200))}: ${error}`);
    return decision.allowed;
  }

  private getCaller(claims: Claims): Caller {
    const known = this.callers.get(claims);
    if (known !== undefined) return known;
    const caller = { number: ++this.callerCount, principal: this.createPrincipal(claims) };
    this.callers.set(claims, caller);
    return caller;
  }

  private createPrincipal(claims: Claims) {
    const { sub } = claims;
    if (typeof sub !== 'string' || sub === '') return undefined;
    const type = this.rules.group_entity_type || DEFAULT_GROUP_TYPE;
    return {
      uid: { type: 'Client', id: sub },
      attrs: toClaimAttributes(claims, this.rules.multi_valued_claims ?? []),
      parents: listGroups(claims, this.rules).map((id) => ({ type, id })),
    };
  }

  /** Reports each failure of a policy once. */
  private report(text: string): void {
    if (this.reported.has(text) || this.reported.size >= MAX_REPORTS) return;
    this.reported.add(text);
    this.log({ level: 'warn', message: `A policy has failed, so the request is refused: ${text}` });
  }
}

/** Whether decisions can depend on arguments. @param used undefined: all attributes */
const usesArguments = (used: ReadonlySet<string> | undefined): boolean =>
  used === undefined || [...used].some((name) => name.startsWith('arg_'));

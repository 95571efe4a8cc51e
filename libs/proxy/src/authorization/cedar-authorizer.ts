import { EntityPolicies } from '@gatehouse/policy/entities/entity-policies';
import { StaticEntities } from '@gatehouse/policy/entities/static-entities';
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
  /** The part of a question that belongs to the caller, for the items of one list. */
  private lastCaller: { claims: object; caller: ReturnType<CedarAuthorizer['createCaller']> } | undefined;

  /** @throws PolicyListError, EntitiesError */
  constructor(
    private readonly rules: CedarRules,
    private readonly log: Log,
  ) {
    this.policies = parseRules(rules);
  }

  allows({ claims = this.localClaims, use, id, args, hints }: UseRequest): boolean {
    try {
      const caller = this.getCaller(claims);
      if (caller === undefined) return false;
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
        principal: caller.principal,
        action: use,
        resource: { uid: { type, id }, attrs: { ...hints, ...argumentAttributes, ...attrs, ...name }, parents: [] },
        context: { ...caller.principal.attrs, ...argumentAttributes },
      });
      for (const error of decision.errors)
        this.report(`${use} of ${type} ${JSON.stringify(id.slice(0, 200))}: ${error}`);
      return decision.allowed;
    } catch (cause) {
      this.log({ level: 'error', message: 'A policy could not decide, so the request is refused.', cause });
      return false;
    }
  }

  private getCaller(claims: Readonly<Record<string, unknown>>) {
    if (this.lastCaller?.claims !== claims) this.lastCaller = { claims, caller: this.createCaller(claims) };
    return this.lastCaller.caller;
  }

  /** @returns undefined for a caller without an identity, who may do nothing */
  private createCaller(claims: Readonly<Record<string, unknown>>) {
    const { sub } = claims;
    if (typeof sub !== 'string' || sub === '') return undefined;
    const type = this.rules.group_entity_type || DEFAULT_GROUP_TYPE;
    return {
      principal: {
        uid: { type: 'Client', id: sub },
        attrs: toClaimAttributes(claims, this.rules.multi_valued_claims ?? []),
        parents: listGroups(claims, this.rules).map((id) => ({ type, id })),
      },
    };
  }

  /** Reports each failure of a policy once. */
  private report(text: string): void {
    if (this.reported.has(text) || this.reported.size >= MAX_REPORTS) return;
    this.reported.add(text);
    this.log({ level: 'warn', message: `A policy has failed, so the request is refused: ${text}` });
  }
}

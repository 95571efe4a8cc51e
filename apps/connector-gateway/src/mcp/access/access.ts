import type { Principal, Question } from '@gatehouse/policy/decide';
import { DecisionCache } from '@gatehouse/policy/decision-cache';
import { preparePolicySet, type PolicySet } from '@gatehouse/policy/policy-set';
import type { ClaimMapping } from '@gatehouse/policy/claims';
import { type Connection, type Connector, type Entitlements, type Snapshot, toolIsOn } from '../ports/snapshot.ts';

/** The person behind a request, as the verified token names it. */
export interface Person {
  issuer: string;
  subject: string;
  email?: string | undefined;
  claims: Readonly<Record<string, unknown>>;
}

/** Something a connector offers, under the upstream's own name (a resource: its URI). */
export type Feature =
  { kind: 'tool'; name: string } | { kind: 'prompt'; name: string } | { kind: 'resource'; name: string };

const ACTION = { prompt: 'get_prompt', resource: 'read_resource' } as const;

/**
 * What one person may see and use at this moment. Lists and calls ask the same two questions here,
 * so nothing can be called that is not listed, and nothing is listed that cannot be called.
 * Everything that is not allowed is simply absent: there is no answer that tells "forbidden",
 * "switched off" and "does not exist" apart.
 */
export class Access {
  private readonly principal: Principal | undefined;
  private readonly connections: ReadonlyMap<string, Connection>;
  private readonly visible = new Map<string, Connector>();

  constructor(
    private readonly rules: Rules,
    person: Person,
    entitlements: Entitlements | undefined,
  ) {
    const active = entitlements?.active === true ? entitlements : undefined;
    this.principal = active && { userId: active.user_id, groupIds: new Set(active.groups), claims: person.claims };
    this.connections = new Map(active?.connections.map((connection) => [connection.connector_id, connection]));
    for (const connector of rules.connectors) if (this.reaches(connector)) this.visible.set(connector.slug, connector);
  }

  /** The person's id in the directory; undefined for somebody without an active entry. */
  get userId(): string | undefined {
    return this.principal?.userId;
  }

  /** The connectors that the person switched on and may use, by slug. */
  connectors(): readonly Connector[] {
    return [...this.visible.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  }

  /** The visible connector with this slug. */
  connector(slug: string): Connector | undefined {
    return this.visible.get(slug);
  }

  /**
   * Whether the policy lets the person use the connector, switched on or not: what the person can
   * switch on.
   */
  mayConnect(connector: Connector): boolean {
    return this.permits(connector, { action: 'connect' });
  }

  /** Whether the policy lets the person call a tool, whatever the person switched off. */
  mayCall(connector: Connector, tool: string): boolean {
    return (
      this.mayConnect(connector) &&
      this.permits(connector, { action: 'list_tools' }) &&
      this.permits(connector, { action: 'call_tool', name: tool })
    );
  }

  /** Whether the person may see, and therefore use, a feature of a connector. */
  allows(connector: Connector, feature: Feature): boolean {
    if (this.visible.get(connector.slug)?.id !== connector.id) return false;
    if (feature.kind === 'tool') {
      const connection = this.connections.get(connector.id);
      return connection !== undefined && toolIsOn(connection, feature.name) && this.mayCall(connector, feature.name);
    }
    return this.permits(connector, { action: ACTION[feature.kind], name: feature.name });
  }

  private reaches(connector: Connector): boolean {
    return this.connections.get(connector.id)?.enabled === true && this.mayConnect(connector);
  }

  private permits(connector: Connector, question: Question): boolean {
    const set = this.rules.policyOf(connector.id);
    return (
      this.principal !== undefined &&
      set !== undefined &&
      this.rules.decisions.decide(set, this.principal, question).allowed
    );
  }
}

/** What an exposed name can be taken apart by: it holds no underscore. */
const SLUG = /^[a-z0-9-]{1,64}$/;

/**
 * Of connectors with the same id or slug only the first can be meant; one whose slug could be read
 * as part of a tool's name cannot be meant at all.
 */
function unambiguous(connectors: readonly Connector[]): readonly Connector[] {
  const taken = new Set<string>();
  return connectors.filter(({ id, slug }) => {
    if (!SLUG.test(slug) || taken.has(`id ${id}`) || taken.has(`slug ${slug}`)) return false;
    taken.add(`id ${id}`).add(`slug ${slug}`);
    return true;
  });
}

/**
 * A snapshot made ready to decide: policies are parsed once. A connector whose policy does not
 * parse is closed to everybody, and one that cannot be told from another is not there.
 */
export class Rules {
  readonly connectors: readonly Connector[];
  /** What was decided before, also with the policies that an earlier snapshot had already. */
  readonly decisions: DecisionCache;
  private readonly sets = new Map<string, { document: string; set: PolicySet }>();
  /** Connectors whose policy could not be read, for the log. */
  readonly unreadable: readonly string[];
  private readonly claims: string;

  /** @param before of the snapshot before: what has not changed is not read again */
  constructor(snapshot: Snapshot, claims: ClaimMapping, before?: Rules) {
    this.connectors = unambiguous(snapshot.connectors);
    this.claims = JSON.stringify(claims);
    this.decisions = before?.decisions ?? new DecisionCache();
    const known = before?.claims === this.claims ? before.sets : undefined;
    const unreadable: string[] = [];
    for (const { connector_id: id, document } of snapshot.policies) {
      try {
        const kept = known?.get(id);
        const set = kept?.document === document ? kept.set : preparePolicySet(id, document, claims);
        this.sets.set(id, { document, set });
      } catch {
        unreadable.push(id);
      }
    }
    this.unreadable = unreadable;
  }

  /** The policies of one connector; undefined means that nobody is allowed anything. */
  policyOf(connectorId: string): PolicySet | undefined {
    return this.sets.get(connectorId)?.set;
  }

  /**
   * The connector with this slug, also one that is hidden from the caller. Only records may use it,
   * never answers.
   */
  connectorBySlug(slug: string): Connector | undefined {
    return this.connectors.find((connector) => connector.slug === slug);
  }
}

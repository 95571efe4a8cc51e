import { nextTurn } from '@gatehouse/json-limits/event-loop';
import type { AuthorizationRequest, Principal } from '@gatehouse/policy/decide';
import { DecisionCache } from '@gatehouse/policy/decision-cache';
import { preparePolicySet, type PolicySet } from '@gatehouse/policy/policy-set';
import { ContentControls } from '../content/content-controls.ts';
import type { Redaction } from '../content/redaction.ts';
import { GatewayLimits } from '../limits/gateway-limits.ts';
import { PinningSettings } from './pinning-settings.ts';
import { type Connection, type Connector, type Entitlements, type Snapshot, isToolEnabled } from '../ports/snapshot.ts';
import type { ToolPinning } from '../ports/tool-pin-store.ts';

/** The user of a request, as the verified token identifies them. */
export interface AuthenticatedUser {
  issuer: string;
  subject: string;
  email?: string | undefined;
  claims: Readonly<Record<string, unknown>>;
}

/** An entry that a connector offers, under the upstream's own name (a resource: its URI). */
export type Feature =
  { kind: 'tool'; name: string } | { kind: 'prompt'; name: string } | { kind: 'resource'; name: string };

const ACTION = { prompt: 'get_prompt', resource: 'read_resource' } as const;

/**
 * The current rights of one user. Lists and calls use the same checks, so exactly the listed
 * entries can be called. A refused entry is absent: the response does not tell whether it is
 * forbidden, disabled or unknown.
 */
export class Access {
  private readonly principal: Principal | undefined;
  private readonly connections: ReadonlyMap<string, Connection>;
  private readonly enabledByDefault: boolean;
  private readonly visible = new Map<string, Connector>();

  constructor(
    private readonly rules: Rules,
    readonly user: AuthenticatedUser,
    entitlements: Entitlements | undefined,
  ) {
    const active = entitlements?.active === true ? entitlements : undefined;
    this.principal = active && { userId: active.user_id, groupIds: new Set(active.groups), claims: user.claims };
    this.connections = new Map(active?.connections.map((connection) => [connection.connector_id, connection]));
    this.enabledByDefault = active?.enabledByDefault ?? false;
    for (const findConnector of rules.connectors)
      if (this.isVisible(findConnector)) this.visible.set(findConnector.slug, findConnector);
  }

  /** The user's id in the directory; undefined without an active entry. */
  get userId(): string | undefined {
    return this.principal?.userId;
  }

  /** The connectors that the user enabled and may use, by slug. */
  listConnectors(): readonly Connector[] {
    return [...this.visible.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  }

  /** The visible connector with this slug. */
  findConnector(slug: string): Connector | undefined {
    return this.visible.get(slug);
  }

  /** Whether the policy allows the user to use the connector, enabled or not. */
  canConnect(connector: Connector): boolean {
    return this.isPermitted(connector, { action: 'connect' });
  }

  /** Whether the policy allows the user to call a tool, enabled or not. */
  canCall(connector: Connector, tool: string): boolean {
    return (
      this.canConnect(connector) &&
      this.isPermitted(connector, { action: 'list_tools' }) &&
      this.isPermitted(connector, { action: 'call_tool', name: tool })
    );
  }

  /** Whether the user may see and use an entry of a connector. */
  isAllowed(connector: Connector, feature: Feature): boolean {
    if (this.visible.get(connector.slug)?.id !== connector.id) return false;
    if (feature.kind === 'tool') {
      const connection = this.connections.get(connector.id);
      return (
        (connection === undefined || isToolEnabled(connection, feature.name)) && this.canCall(connector, feature.name)
      );
    }
    return this.isPermitted(connector, { action: ACTION[feature.kind], name: feature.name });
  }

  /** The tool pinning of a connector. */
  getToolPinning({ id }: Connector): ToolPinning {
    return this.rules.pinning.find(id);
  }

  /** The redaction patterns of a connector; undefined without patterns. */
  findRedaction({ id }: Connector): Redaction | undefined {
    return this.rules.content.findOfConnector(id)?.redaction;
  }

  private isVisible(connector: Connector): boolean {
    const isEnabled = this.connections.get(connector.id)?.enabled ?? this.enabledByDefault;
    return isEnabled && this.canConnect(connector);
  }

  private isPermitted(connector: Connector, request: AuthorizationRequest): boolean {
    const set = this.rules.findPolicySet(connector.id);
    return (
      this.principal !== undefined &&
      set !== undefined &&
      this.rules.decisions.decide(set, this.principal, request).allowed
    );
  }
}

/** Slugs hold no underscore, so that an exposed name can be split. */
const SLUG = /^[a-z0-9-]{1,64}$/;

/**
 * Keeps the first of connectors with the same id or slug, and drops slugs that could be part of a
 * tool name.
 */
function removeAmbiguous(connectors: readonly Connector[]): readonly Connector[] {
  const taken = new Set<string>();
  return connectors.filter(({ id, slug }) => {
    if (!SLUG.test(slug) || taken.has(`id ${id}`) || taken.has(`slug ${slug}`)) return false;
    taken.add(`id ${id}`).add(`slug ${slug}`);
    return true;
  });
}

/** A policy: its text and its parsed form. */
interface ParsedPolicy {
  document: string;
  set: PolicySet;
}

/**
 * A snapshot with parsed policies. A connector whose policy does not parse is closed to all users;
 * an ambiguous connector is left out.
 */
export class Rules {
  private constructor(
    readonly connectors: readonly Connector[],
    private readonly sets: ReadonlyMap<string, ParsedPolicy>,
    /** Ids of connectors whose policy does not parse, for the log. */
    readonly unreadable: readonly string[],
    /** The claims that the policies were parsed with. */
    private readonly claims: string,
    /** Cached decisions, also of unchanged policies of earlier snapshots. */
    readonly decisions: DecisionCache,
    /** The limits of calls and sessions. */
    readonly limits: GatewayLimits,
    /** The tool pinning of connectors. */
    readonly pinning: PinningSettings,
    /** The controls of the content of messages. */
    readonly content: ContentControls,
  ) {}

  /**
   * Parses the policies of a snapshot. Parsing one takes about a millisecond, so the event loop
   * serves other work after each.
   * @param before rules of the previous snapshot, whose unchanged policies are reused
   */
  static async parse(
    {
      connectors,
      policies,
      claim_mapping,
      settings,
    }: Pick<Snapshot, 'connectors' | 'policies' | 'claim_mapping'> & Partial<Pick<Snapshot, 'settings'>>,
    before?: Rules,
  ): Promise<Rules> {
    const claims = JSON.stringify(claim_mapping);
    const known = before?.claims === claims ? before.sets : undefined;
    const sets = new Map<string, ParsedPolicy>();
    const unreadable: string[] = [];
    for (const { connector_id: id, document } of policies) {
      const kept = known?.get(id);
      if (kept?.document === document) {
        sets.set(id, kept);
        continue;
      }
      try {
        sets.set(id, { document, set: preparePolicySet(id, document, claim_mapping) });
      } catch {
        unreadable.push(id);
      }
      await nextTurn();
    }
    const decisions = before?.decisions ?? new DecisionCache();
    return new Rules(
      removeAmbiguous(connectors),
      sets,
      unreadable,
      claims,
      decisions,
      new GatewayLimits(settings),
      new PinningSettings(settings),
      new ContentControls(settings, before?.content),
    );
  }

  /** The policies of one connector; without them, no user may use it. */
  findPolicySet(connectorId: string): PolicySet | undefined {
    return this.sets.get(connectorId)?.set;
  }

  /**
   * The connector with this slug, even if hidden from the caller. Only records may use it, never
   * responses.
   */
  findConnectorBySlug(slug: string): Connector | undefined {
    return this.connectors.find((connector) => connector.slug === slug);
  }
}

import { ElicitationHosts } from '@gatehouse/content-controls/elicitation-hosts';
import { LRUCache } from 'lru-cache';
import type { Snapshot } from '../ports/snapshot.ts';
import { Redaction } from './redaction.ts';

/** Most lists of patterns that stay compiled. */
const MAX_LISTS = 1_000;

type Settings = Snapshot['settings'];

/** The content controls of one connector. Undefined controls are off. */
export interface ConnectorContent {
  readonly redaction: Redaction | undefined;
  readonly hosts: ElicitationHosts | undefined;
}

/** The content controls of a gateway by the settings of its snapshot. */
export class ContentControls {
  private readonly known = new Map<string, ConnectorContent | undefined>();

  private readonly redactions: LRUCache<string, Redaction>;

  /** @param before controls of the previous snapshot, whose compiled patterns are reused */
  constructor(
    private readonly settings: Settings | undefined,
    before?: ContentControls,
  ) {
    this.redactions = before?.redactions ?? new LRUCache({ max: MAX_LISTS });
  }

  /** The controls of a connector; undefined if all are off. */
  findOfConnector(connectorId: string): ConnectorContent | undefined {
    if (this.settings === undefined) return undefined;
    if (!this.known.has(connectorId)) this.known.set(connectorId, this.resolve(this.settings, connectorId));
    return this.known.get(connectorId);
  }

  /** Patterns of a connector are added to those of the gateway; its hosts replace them. */
  private resolve({ content, connectors }: Settings, connectorId: string): ConnectorContent | undefined {
    const own = connectors[connectorId]?.content;
    const patterns = [...new Set([...content.redaction_patterns, ...(own?.redaction_patterns ?? [])])];
    const hosts = own?.elicitation_hosts ?? content.elicitation_hosts;
    if (patterns.length === 0 && hosts.length === 0) return undefined;
    return {
      redaction: patterns.length === 0 ? undefined : this.getRedaction(patterns),
      hosts: hosts.length === 0 ? undefined : new ElicitationHosts(hosts),
    };
  }

  /** Unchanged patterns stay compiled, and connectors with the same patterns share them. */
  private getRedaction(patterns: readonly string[]): Redaction {
    const key = JSON.stringify(patterns);
    let redaction = this.redactions.get(key);
    if (redaction === undefined) this.redactions.set(key, (redaction = new Redaction(patterns)));
    return redaction;
  }
}

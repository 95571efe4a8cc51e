import type { Snapshot } from '../ports/snapshot.ts';

type Settings = Snapshot['settings'];
type LimitName = keyof Settings['limits'];

/** A limit, and the connector that has its own value; undefined for the value of the gateway. */
export interface ScopedLimit {
  readonly value: number;
  readonly connectorId: string | undefined;
}

/** The limits of the calls of one connector. Undefined limits are unlimited. */
export interface ConnectorLimits {
  readonly perPerson: ScopedLimit | undefined;
  readonly perTool: ScopedLimit | undefined;
  readonly concurrent: number | undefined;
  readonly argumentBytes: number | undefined;
  readonly resultBytes: number | undefined;
}

/** The limits of a gateway by the settings of its snapshot. */
export class GatewayLimits {
  private readonly known = new Map<string, ConnectorLimits | undefined>();

  constructor(private readonly settings: Settings | undefined) {}

  /** The limits of a connector's calls; undefined if there are none. */
  findOfConnector(connectorId: string): ConnectorLimits | undefined {
    if (this.settings === undefined) return undefined;
    if (!this.known.has(connectorId)) this.known.set(connectorId, this.resolve(connectorId));
    return this.known.get(connectorId);
  }

  /**
   * The most sessions of a user.
   * @param connectorId the connector of a `/mcp/{slug}` endpoint
   */
  findSessionsPerPerson(connectorId: string | undefined): ScopedLimit | undefined {
    return this.findLimit('sessions_per_person', connectorId);
  }

  private resolve(connectorId: string): ConnectorLimits | undefined {
    const limits = {
      perPerson: this.findLimit('calls_per_minute_per_person', connectorId),
      perTool: this.findLimit('calls_per_minute_per_tool', connectorId),
      concurrent: this.findLimit('concurrent_calls_per_connector', connectorId)?.value,
      argumentBytes: this.findLimit('max_argument_bytes', connectorId)?.value,
      resultBytes: this.findLimit('max_result_bytes', connectorId)?.value,
    };
    return Object.values(limits).some((limit) => limit !== undefined) ? limits : undefined;
  }

  /** A limit of the connector replaces that of the gateway, also if it is null (unlimited). */
  private findLimit(name: LimitName, connectorId: string | undefined): ScopedLimit | undefined {
    const own = connectorId === undefined ? undefined : this.settings?.connectors[connectorId]?.limits?.[name];
    const value = own === undefined ? this.settings?.limits[name] : own;
    return value === null || value === undefined
      ? undefined
      : { value, connectorId: own === undefined ? undefined : connectorId };
  }
}

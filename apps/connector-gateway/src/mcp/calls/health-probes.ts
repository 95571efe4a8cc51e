import type { Connector } from '../ports/snapshot.ts';
import type { PlaneLog } from '../ports/plane-log.ts';
import { listFailureFacts } from '../upstreams/upstream-failure.ts';

/** The result of the last probe, and the time of the last change. */
export interface Health {
  status: 'reachable' | 'unreachable';
  /** RFC 3339. */
  since: string;
}

/** Options of the health probes. */
export interface HealthProbesOptions {
  /**
   * Connects to the server of a connector without any credential.
   * @throws if it cannot be reached
   */
  probe: (connector: Connector, signal: AbortSignal) => Promise<void>;
  /** Seconds between two rounds; 0 turns probes off. */
  everySeconds: number;
  now: () => Date;
  log: PlaneLog;
}

const PROBE_TIMEOUT_MS = 5_000;
const MAX_CONCURRENT_PROBES = 8;

/**
 * Probes the servers of all connectors at an interval, also when no user calls them. Each change is
 * one log line.
 */
export class HealthProbes {
  private readonly health = new Map<string, Health>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: HealthProbesOptions) {}

  /** Starts the probes. @param connectors called at each round */
  start(connectors: () => readonly Connector[]): void {
    if (this.options.everySeconds === 0) return;
    this.timer = setInterval(() => {
      this.running ??= this.probeAll(connectors()).finally(() => (this.running = undefined));
    }, this.options.everySeconds * 1_000).unref();
  }

  /** The last result; undefined before the first probe. */
  getHealth(connectorId: string): Health | undefined {
    return this.health.get(connectorId);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  private async probeAll(connectors: readonly Connector[]): Promise<void> {
    const current = new Set(connectors.map(({ id }) => id));
    for (const id of this.health.keys()) if (!current.has(id)) this.health.delete(id);
    const waiting = [...connectors];
    const runWorker = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await this.probeConnector(next);
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_PROBES }, runWorker));
  }

  private async probeConnector(connector: Connector): Promise<void> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
    const failure = await this.options.probe(connector, signal).then(
      () => undefined,
      (error: unknown) => listFailureFacts(error),
    );
    if (this.stopping.signal.aborted) return;
    const status = failure === undefined ? 'reachable' : 'unreachable';
    const before = this.health.get(connector.id)?.status;
    if (before === status) return;
    this.health.set(connector.id, { status, since: this.options.now().toISOString() });
    if (failure !== undefined)
      this.options.log.warn({ connector: connector.id, failure }, 'the server of a connector cannot be reached');
    else if (before !== undefined)
      this.options.log.info({ connector: connector.id }, 'the server of a connector can be reached again');
  }
}

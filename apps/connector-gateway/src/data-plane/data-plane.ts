import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { openEgress } from '@gatehouse/egress/egress';
import { getAuthority } from '@gatehouse/egress/target';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { AuthorizationServer } from '../authorization-server/authorization-server.ts';
import { SETTINGS, type Settings } from '../config/config.ts';
import { SubjectTokens } from '../credentials/subject-tokens.ts';
import { ConnectLinks, type CredentialHeaders, PersonalCredentials } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { ToolCallsRepository } from '../metering/tool-calls.repository.ts';
import { getUserKey } from '../mcp/access/directory-view.ts';
import { createPersonIdentity, createTarget, type UpstreamTarget } from '../mcp/upstreams/credential-identity.ts';
import { createCredentialHeaders, type Dialer, NO_CREDENTIAL } from '../mcp/upstreams/credentials.ts';
import { getCredential } from '../mcp/ports/upstream-secrets.ts';
import { AccessCache } from '../mcp/access/access-cache.ts';
import { CallLimits } from '../mcp/limits/call-limits.ts';
import { CallRates } from '../mcp/limits/call-rates.ts';
import { Endpoint } from '../mcp/endpoint/endpoint.ts';
import { HealthProbes } from '../mcp/calls/health-probes.ts';
import { DEFAULT_LIMITS, type Limits } from '../mcp/ports/limits.ts';
import { ResourceSubscriptions } from '../mcp/sessions/resource-subscriptions.ts';
import { TaskUpdates } from '../mcp/sessions/task-updates.ts';
import { LiveViews } from '../mcp/sessions/live-views.ts';
import { LegacyEndpoint } from '../mcp/endpoint/legacy.ts';
import { ModernEndpoint } from '../mcp/endpoint/modern.ts';
import { ServedCalls } from '../mcp/endpoint/served-calls.ts';
import { TakenOverCalls } from '../mcp/endpoint/taken-over-calls.ts';
import { Offers } from '../mcp/catalog/offers.ts';
import type { Plane } from '../mcp/calls/plane.ts';
import { ParkedCalls } from '../mcp/calls/parked-calls.ts';
import { ViewKeys } from '../mcp/catalog/view-keys.ts';
import { getDefinition } from '../mcp/calls/call-facts.ts';
import { RedactedLists } from '../mcp/catalog/redacted-lists.ts';
import { ToolLists } from '../mcp/catalog/tool-lists.ts';
import { ToolIndexes } from '../mcp/search/tool-indexes.ts';
import { ToolPins } from '../mcp/pinning/tool-pins.ts';
import { RequestStates } from '../mcp/calls/request-states.ts';
import { Sessions } from '../mcp/sessions/sessions.ts';
import { listFailureFacts } from '../mcp/upstreams/upstream-failure.ts';
import { UpstreamUnavailableError } from '../mcp/upstreams/upstream-unavailable.ts';
import { Upstreams } from '../mcp/upstreams/upstreams.ts';
import { CallRatesRepository } from '../call-rates/call-rates.repository.ts';
import { GatewayReplicas } from '../replicas/gateway-replicas.ts';
import { StreamOwnersRepository } from '../replicas/stream-owners.repository.ts';
import type { TokenOwner } from '../vault/token-owner.ts';
import { TokenVault } from '../vault/token-vault.ts';
import { GatewayDirectory } from '../ports/gateway-directory.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { ToolPinsRepository } from '../tool-pins/tool-pins.repository.ts';
import { TasksRepository } from '../tasks/tasks.repository.ts';

const SWEEP_MS = 10_000;
/** HTTP statuses of a proxy that does not reach its server (RFC 9110 §15.6). */
const PROXY_ERROR_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** Assembles the data plane: the MCP endpoint, its sessions and its upstreams. */
@Injectable()
export class DataPlane implements OnModuleInit, OnApplicationShutdown {
  readonly plane: Plane;
  private readonly redactedLists = new RedactedLists();
  private readonly upstreams: Upstreams;
  private readonly live: LiveViews;
  private readonly subscriptions: ResourceSubscriptions;
  private readonly taskUpdates: TaskUpdates;
  private readonly sessions: Sessions;
  private readonly calls: ServedCalls;
  private readonly rates: CallRates;
  private publicUrl: () => string = () => '';
  private endpoint: Endpoint | undefined;
  private sweeping: NodeJS.Timeout | undefined;
  /** Health of the connectors' servers. */
  readonly health: HealthProbes;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly directory: GatewayDirectory,
    private readonly sessionStore: SessionsRepository,
    private readonly rateStore: CallRatesRepository,
    private readonly taskStore: TasksRepository,
    pinStore: ToolPinsRepository,
    private readonly replicas: GatewayReplicas,
    private readonly credentials: PersonalCredentials,
    private readonly vault: TokenVault,
    private readonly subjectTokens: SubjectTokens,
    links: ConnectLinks,
    streams: StreamOwnersRepository,
    private readonly verifier: TokenVerifier,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    recorder: ToolCallsRepository,
    clock: Clock,
    log: Log,
    private readonly authorizationServer: AuthorizationServer,
  ) {
    const limits = createLimits(settings);
    const now = () => clock.now();
    this.upstreams = this.createUpstreams(limits, now);
    this.rates = new CallRates({ store: rateStore, now: () => performance.now(), log });
    const pins = new ToolPins({ store: pinStore, now: () => now().getTime(), log });
    const states = new RequestStates(createHmac('sha256', settings.CURSOR_KEY).update('mcp request state').digest());
    this.plane = {
      directory,
      accesses: new AccessCache(),
      offers: createOffers(this.upstreams, pins, this.redactedLists, limits, directory, log),
      pins,
      redactedLists: this.redactedLists,
      viewKeys: new ViewKeys(),
      toolLists: new ToolLists(getDefinition),
      toolIndexes: new ToolIndexes(),
      upstreams: this.upstreams,
      recorder,
      limits,
      callLimits: new CallLimits(this.rates),
      now,
      log,
      states,
      parked: new ParkedCalls(states, replicas.id),
      replicas,
      streams,
      tasks: taskStore,
      links,
      onRedacted: this.createRedactionCounter(),
      onTaskCreated: (target, created) => this.taskUpdates.watch(target, created),
    };
    this.health = this.createHealthProbes(now, log);
    this.live = new LiveViews(this.plane);
    this.subscriptions = new ResourceSubscriptions(this.plane);
    this.sessions = new Sessions(this.plane, sessionStore);
    this.taskUpdates = new TaskUpdates(this.plane, (id, message) => this.sessions.notify(id, message));
    this.calls = new ServedCalls(this.plane);
    const taken = new TakenOverCalls(this.plane, this.sessions);
    streams.setContinuation((call) => taken.continue(call));
  }

  async onModuleInit(): Promise<void> {
    this.directory.onChange((rules) => this.sweepUpstreams(rules.connectors));
    this.readiness.register('directory', () => Promise.resolve().then(() => this.directory.requireAvailability()));
    this.metrics.meter
      .createObservableGauge('gatehouse.mcp.open', {
        description: 'Open sessions, streams, requests and upstream calls, by kind',
      })
      .addCallback((result) => {
        for (const [kind, number] of Object.entries(this.countOpen())) result.observe(number, { kind });
      });
    this.health.start(() => this.directory.getRules()?.connectors ?? []);
    this.sessions.start();
    this.calls.start();
    this.sweeping = setInterval(() => void this.sweep(), SWEEP_MS);
    await this.replicas.start({
      onSessionChanged: (id) => void this.sessions.refresh(id),
      hasSession: (id) => this.sessions.has(id),
      onMessage: (message) => this.sessions.receive(message),
      onConnectionChanged: (owner) => this.handleConnectionChange(owner),
      onPinsChanged: (connectorId) => this.handlePinsChange(connectorId),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.sweeping);
    this.live.stop();
    this.calls.close();
    this.plane.parked.close();
    this.sessions.close();
    await this.health.stop();
    await this.upstreams.close();
    await this.rates.stop();
    await this.replicas.stop();
  }

  /**
   * Remembered sessions, watched streams, open requests and calls of this process. Idle sessions
   * stay; all others are 0 without requests.
   */
  countOpen(): Readonly<Record<'sessions' | 'streams' | 'requests' | 'running', number>> {
    return {
      sessions: this.sessions.size,
      streams: this.live.size,
      requests: this.calls.size,
      running: this.upstreams.running,
    };
  }

  /** Open requests and streams of a session on this replica; undefined if it is not remembered. */
  countOpenRequests(sessionId: string): number | undefined {
    return this.sessions.countOpen(sessionId);
  }

  /** Ends the streams and requests of a session that an administrator has ended. */
  releaseSession(sessionId: string): void {
    this.sessions.release(sessionId);
  }

  /** The address for MCP clients. */
  getEndpointUrl(): string {
    return `${this.publicUrl()}/mcp`;
  }

  /**
   * Creates the MCP endpoint.
   * @param publicUrl read at each use, since the port may be chosen later
   */
  createEndpoint(publicUrl: () => string): Endpoint {
    this.publicUrl = publicUrl;
    const { ALLOWED_HOSTS, ALLOWED_ORIGINS, ISSUERS } = this.settings;
    const legacy = new LegacyEndpoint(this.plane, this.sessions, this.live, this.subscriptions, this.calls);
    this.endpoint = new Endpoint(this.plane, legacy, new ModernEndpoint(this.live, this.subscriptions, this.calls), {
      publicUrl,
      issuers: () => this.listIssuers(ISSUERS.map(({ issuer }) => issuer)),
      verifier: this.verifier,
      tokens: this.subjectTokens,
      allowedHosts: ALLOWED_HOSTS,
      allowedOrigins: new Set(ALLOWED_ORIGINS),
      shutdown: this.readiness.shutdown,
    });
    return this.endpoint;
  }

  /** The issuers for clients; the authorization server needs no set-up of a client. */
  private listIssuers(corporate: readonly string[]): readonly string[] {
    const { isEnabled, issuer } = this.authorizationServer;
    return isEnabled ? [issuer, ...corporate] : corporate;
  }

  /** The endpoint that was created. */
  requireEndpoint(): Endpoint {
    if (this.endpoint === undefined) throw new Error('the endpoint is not created yet');
    return this.endpoint;
  }

  /** Counts redacted passages by connector; the texts stay unknown. */
  private createRedactionCounter(): Plane['onRedacted'] {
    const counter = this.metrics.meter.createCounter('gatehouse.mcp.redactions', {
      description: 'Passages of messages that redaction patterns matched, by connector',
    });
    return ({ id }, count) => counter.add(count, { connector: id });
  }

  private createUpstreams(limits: Limits, now: () => Date): Upstreams {
    return new Upstreams({
      openDialer: (target) => this.openDialer(target, limits),
      limits,
      now: () => now().getTime(),
      onListChanged: (target, kind) => this.live.announce(target, kind),
      onResourceUpdated: (target, uri) => this.subscriptions.receive(target, uri),
      onTaskUpdated: (target, task) => void this.taskUpdates.receive(target, task),
    });
  }

  private createHealthProbes(now: () => Date, log: Log): HealthProbes {
    return new HealthProbes({
      probe: (connector, signal) => this.probe(connector, signal),
      everySeconds: this.settings.HEALTH_PROBE_SECONDS,
      now,
      log,
    });
  }

  private async sweep(): Promise<void> {
    try {
      const rules = this.directory.getRules();
      if (rules !== undefined) this.sweepUpstreams(rules.connectors);
      await this.sessions.sweep();
      await this.sessionStore.prune();
      await this.rateStore.prune();
      await this.replicas.prune();
      await this.taskStore.prune();
    } catch (error) {
      this.plane.log.warn({ err: error }, 'idle sessions could not be swept');
    }
  }

  private sweepUpstreams(connectors: readonly Connector[]): void {
    const watching = new Set([...this.live.listUsers()].map(createPersonIdentity));
    this.upstreams.sweep(connectors, (identity) => watching.has(identity));
  }

  /** Takes over a sign-in of a user at the provider of a connector, or its end. */
  private handleConnectionChange(owner: TokenOwner | undefined): void {
    if (owner !== undefined) {
      this.vault.forget(owner);
      const connector = this.directory.getRules()?.connectors.find(({ id }) => id === owner.connectorId);
      if (connector !== undefined) this.upstreams.resetIdentity(createTarget(connector, owner));
    }
    this.live.refreshViews(owner && getUserKey(owner));
  }

  /** Applies a decision of an administrator about a tool. @param connectorId undefined for any */
  handlePinsChange(connectorId: string | undefined): void {
    this.plane.pins.forget(connectorId);
    this.live.refreshViews(undefined);
  }

  /** Any response means reachable, except the error of a proxy that does not reach it. */
  private async probe(connector: Connector, signal: AbortSignal): Promise<void> {
    const egress = openEgress(this.getAddressPermission(connector), {});
    try {
      const response = await egress.fetch(connector.endpoint, { method: 'OPTIONS', redirect: 'manual', signal });
      await response.body?.cancel();
      if (PROXY_ERROR_STATUSES.has(response.status))
        throw Object.assign(new Error('a proxy does not reach the server'), { status: response.status });
    } finally {
      await egress.close();
    }
  }

  private getAddressPermission(connector: Connector) {
    return {
      authority: getAuthority(new URL(connector.endpoint)),
      allowPrivateIps: connector.allow_private_ips,
      allowLoopback: this.settings.ALLOW_LOOPBACK_UPSTREAMS,
    };
  }

  /**
   * Opens a dialer. Private addresses are allowed only for the authority of the endpoint. Sizes are
   * limited for each response and event elsewhere.
   * @throws UpstreamUnavailableError for an authentication that this gateway cannot use
   */
  private openDialer(target: UpstreamTarget, limits: Limits): Dialer {
    const { connector } = target;
    const credential = this.openCredential(target);
    if (credential === undefined)
      throw new UpstreamUnavailableError('needs a credential that this gateway cannot send yet', {
        advice: 'Go on without it.',
      });
    const egress = openEgress(this.getAddressPermission(connector), {
      limits: {
        maxResponseBytes: UNBOUNDED,
        bodyTimeoutMs: limits.callTotalMs,
        headersTimeoutMs: limits.callTotalMs,
      },
    });
    return {
      dispatcher: egress.dispatcher,
      credential,
      close: () => egress.close(),
    };
  }

  private openCredential({ connector, person }: UpstreamTarget): CredentialHeaders | undefined {
    if (person !== undefined) return this.credentials.open(connector, person);
    const credential = getCredential(connector);
    if (credential === undefined) return undefined;
    return credential === 'none' ? NO_CREDENTIAL : createCredentialHeaders(credential, this.directory.secrets);
  }
}

/** Creates the offers of all users. Lists that fail are logged, and listings are reported. */
const createOffers = (
  upstreams: Upstreams,
  pins: ToolPins,
  redacted: RedactedLists,
  { fanOutMs }: Limits,
  directory: GatewayDirectory,
  log: Log,
): Offers =>
  new Offers(
    upstreams,
    pins,
    redacted,
    fanOutMs,
    (connector, error) =>
      log.warn({ connector: connector.id, failure: listFailureFacts(error) }, 'a connector is left out of a list'),
    (access, connector, listing) => directory.observeListing(access.userId, connector, listing),
  );

const createLimits = ({ FAN_OUT_DEADLINE_MS, CALL_TIMEOUT_MS }: Settings): Limits => ({
  ...DEFAULT_LIMITS,
  fanOutMs: FAN_OUT_DEADLINE_MS,
  callMs: CALL_TIMEOUT_MS,
});

import { getBindingValue } from '@gatehouse/auth/binding-claim';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { getDirectorySettings, SETTINGS, type Settings } from '../config/config.ts';
import type { TokenUser } from '../entitlements/entitlements-source.ts';
import type { AuthenticatedUser, Rules } from '../mcp/access/access.ts';
import { DirectoryUnavailableError, type UserChangeListener } from '../mcp/access/directory-view.ts';
import { ClientToken } from '@gatehouse/service-kit/client-token';
import { ManagerConnection } from '@gatehouse/service-kit/manager-connection';
import { type ConnectionChange, type ConnectionChangeResult, GatewayDirectory } from '../ports/gateway-directory.ts';
import { createClusterSecrets } from './cluster-secrets.ts';
import { ConnectionReports } from './connection-reports.ts';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { DirectoryClient } from './directory-client.ts';
import { EntitlementsFeed } from './entitlements-feed.ts';
import { FeedLease } from '@gatehouse/service-kit/feed-lease';
import { SnapshotFeed } from './snapshot-feed.ts';
import type { Connector, Entitlements } from '../mcp/ports/snapshot.ts';
import { UpstreamSecrets } from './upstream-secrets.ts';

/** Age at which a secret is fetched again. */
const SECRET_MAX_AGE_MS = 300_000;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The directory of the mode `directory`: the enterprise manager. */
@Injectable()
export class Directory extends GatewayDirectory implements OnModuleInit, OnApplicationShutdown {
  readonly client: DirectoryClient;
  /** The secrets of connectors, in memory. */
  readonly secrets: UpstreamSecrets;
  private readonly snapshot: SnapshotFeed;
  private readonly snapshotLease: FeedLease;
  private readonly entitlements: EntitlementsFeed;
  private readonly entitlementsLease: FeedLease;
  private readonly reports: ConnectionReports;

  constructor(@Inject(SETTINGS) settings: Settings, clock: Clock, log: Log) {
    super();
    const now = () => clock.now().getTime();
    const manager = getDirectorySettings(settings);
    const token = new ClientToken({
      tokenUrl: manager.TOKEN_URL,
      clientId: manager.CLIENT_ID,
      clientSecret: manager.CLIENT_SECRET,
      parameters: settings.TOKEN_PARAMETERS,
      now,
    });
    this.client = new DirectoryClient(new ManagerConnection(manager.ENTERPRISE_MANAGER_URL, token), manager.GATEWAY_ID);
    // A change of the system clock neither ends nor extends a lease.
    const createLease = () => new FeedLease(settings.FEED_LEASE_SECONDS, () => performance.now());
    this.snapshotLease = createLease();
    this.snapshot = new SnapshotFeed(this.client, this.snapshotLease, log);
    this.entitlementsLease = createLease();
    this.entitlements = new EntitlementsFeed(this.client, this.entitlementsLease, log);
    this.secrets = new UpstreamSecrets(this.client, createClusterSecrets(settings), {
      maxAgeMs: SECRET_MAX_AGE_MS,
      graceMs: settings.DIRECTORY_GRACE_SECONDS * 1000,
      now,
    });
    this.snapshot.onChange(({ connectors }) => this.secrets.updateVersions(connectors));
    this.reports = new ConnectionReports({
      send: (observations) => this.client.reportConnectionStatuses(observations),
      now: () => clock.now(),
      log,
    });
  }

  onModuleInit(): void {
    this.snapshot.start();
    this.entitlements.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.snapshot.stop(), this.entitlements.stop(), this.reports.stop()]);
    this.secrets.clear();
  }

  /** The connectors and policies in force; undefined before the first snapshot. */
  getRules(): Rules | undefined {
    return this.snapshot.getRules();
  }

  /** Calls the listener after every change of the snapshot. */
  onChange(listener: (rules: Rules) => void): void {
    this.snapshot.onChange(listener);
  }

  /**
   * The directory's data about a user, at once if it is known.
   * @throws DirectoryUnavailableError also at once
   */
  getEntitlements(user: AuthenticatedUser): Entitlements | undefined | Promise<Entitlements | undefined> {
    this.requireAvailability();
    return this.entitlements.get(this.createTokenUser(user));
  }

  /** Calls the listener after each change of a user. @returns a function that ends this */
  onUserChanged(user: AuthenticatedUser, listener: UserChangeListener): () => void {
    return this.entitlements.watch(this.createTokenUser(user), listener);
  }

  findIdProblem(text: string): string | undefined {
    return UUID.test(text) ? undefined : 'must be a UUID';
  }

  /** Writes the change to the enterprise manager, which compares the version. */
  async changeConnection(change: ConnectionChange): Promise<ConnectionChangeResult> {
    try {
      await this.writeConnection(change).finally(() =>
        this.entitlements.markChanged(this.createTokenUser(change.user)),
      );
      return 'changed';
    } catch (error) {
      if (!(error instanceof ManagerError)) throw error;
      if (error.status === 404) return 'unknown_connector';
      if (error.status === 412) return 'outdated';
      throw new DirectoryUnavailableError('the enterprise manager did not store the state', { cause: error });
    }
  }

  observeListing(
    userId: string | undefined,
    connector: Connector,
    listing: Promise<readonly { name: string }[]>,
  ): void {
    this.reports.observe(userId, connector, listing);
  }

  private writeConnection({ entitlements, connectorId, enabled, version }: ConnectionChange): Promise<void> {
    const { user_id } = entitlements;
    return enabled === undefined
      ? this.client.clearConnection(user_id, connectorId, version)
      : this.client.setConnection(user_id, connectorId, enabled, version);
  }

  /** @throws DirectoryUnavailableError if a feed had no answer within its lease */
  requireAvailability(): void {
    if (!this.snapshotLease.isValid)
      throw new DirectoryUnavailableError('the enterprise manager has not sent the snapshot in time');
    if (!this.entitlementsLease.isValid)
      throw new DirectoryUnavailableError('the enterprise manager has not reported changed entitlements in time');
  }

  private createTokenUser({ issuer, subject, claims }: AuthenticatedUser): TokenUser {
    const claim = this.snapshot.getBindingClaim(issuer);
    return { issuer, subject, binding: claim === undefined ? undefined : getBindingValue(claims, claim) };
  }
}

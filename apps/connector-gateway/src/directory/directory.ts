import { getBindingValue } from '@gatehouse/auth/binding-claim';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import type { AuthenticatedUser, Rules } from '../mcp/access/access.ts';
import {
  DirectoryUnavailableError,
  type DirectoryView,
  type UserChangeListener,
} from '../mcp/access/directory-view.ts';
import { ClientToken } from '@gatehouse/service-kit/client-token';
import { createClusterSecrets } from './cluster-secrets.ts';
import { DirectoryClient, type TokenUser } from './directory-client.ts';
import { EntitlementsFeed } from './entitlements-feed.ts';
import { FeedLease } from './feed-lease.ts';
import { SnapshotFeed } from './snapshot-feed.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import { UpstreamSecrets } from './upstream-secrets.ts';

/** Age at which a secret is fetched again. */
const SECRET_MAX_AGE_MS = 300_000;

/** This gateway's view of the directory, and its client of the enterprise manager. */
@Injectable()
export class Directory implements DirectoryView, OnModuleInit, OnApplicationShutdown {
  readonly client: DirectoryClient;
  /** The secrets of connectors, in memory. */
  readonly secrets: UpstreamSecrets;
  private readonly snapshot: SnapshotFeed;
  private readonly snapshotLease: FeedLease;
  private readonly entitlements: EntitlementsFeed;
  private readonly entitlementsLease: FeedLease;

  constructor(@Inject(SETTINGS) settings: Settings, clock: Clock, log: Log) {
    const now = () => clock.now().getTime();
    const token = new ClientToken({
      tokenUrl: settings.TOKEN_URL,
      clientId: settings.CLIENT_ID,
      clientSecret: settings.CLIENT_SECRET,
      parameters: settings.TOKEN_PARAMETERS,
      now,
    });
    this.client = new DirectoryClient(settings.ENTERPRISE_MANAGER_URL, settings.GATEWAY_ID, token);
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
  }

  onModuleInit(): void {
    this.snapshot.start();
    this.entitlements.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.snapshot.stop(), this.entitlements.stop()]);
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
    this.requireLeases();
    return this.entitlements.get(this.createTokenUser(user));
  }

  /** Calls the listener after each change of a user. @returns a function that ends this */
  onUserChanged(user: AuthenticatedUser, listener: UserChangeListener): () => void {
    return this.entitlements.watch(this.createTokenUser(user), listener);
  }

  /** Marks a user as changed after a write of this gateway, so that the write holds at once. */
  markChanged(user: AuthenticatedUser): void {
    this.entitlements.markChanged(this.createTokenUser(user));
  }

  /** @throws DirectoryUnavailableError if a feed had no answer within its lease */
  requireLeases(): void {
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

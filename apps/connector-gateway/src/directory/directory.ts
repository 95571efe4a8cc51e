import { getBindingValue } from '@gatehouse/auth/binding-claim';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import type { AuthenticatedUser, Rules } from '../mcp/access/access.ts';
import type { DirectoryView } from '../mcp/access/directory-view.ts';
import { ClientToken } from '@gatehouse/service-kit/client-token';
import { createClusterSecrets } from './cluster-secrets.ts';
import { DirectoryClient, type TokenUser } from './directory-client.ts';
import { DirectoryCopies } from './directory-copies.ts';
import { EntitlementsCache } from './entitlements-cache.ts';
import { SnapshotFeed } from './snapshot-feed.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import { UpstreamSecrets } from './upstream-secrets.ts';

/** Age at which a secret is fetched again. */
const SECRET_MAX_AGE_MS = 300_000;

/** Time for which an active status is cached. */
const ACTIVITY_MAX_AGE_MS = 400;

/** This gateway's view of the directory, and its client of the enterprise manager. */
@Injectable()
export class Directory implements DirectoryView, OnModuleInit, OnApplicationShutdown {
  readonly client: DirectoryClient;
  /** The secrets of connectors, in memory. */
  readonly secrets: UpstreamSecrets;
  private readonly feed: SnapshotFeed;
  private readonly users: EntitlementsCache;

  constructor(@Inject(SETTINGS) settings: Settings, copies: DirectoryCopies, clock: Clock, log: Log) {
    const token = new ClientToken({
      tokenUrl: settings.TOKEN_URL,
      clientId: settings.CLIENT_ID,
      clientSecret: settings.CLIENT_SECRET,
      parameters: settings.TOKEN_PARAMETERS,
      now: () => clock.now().getTime(),
    });
    this.client = new DirectoryClient(settings.ENTERPRISE_MANAGER_URL, settings.GATEWAY_ID, token);
    this.feed = new SnapshotFeed(this.client, copies, log);
    this.secrets = new UpstreamSecrets(this.client, createClusterSecrets(settings), {
      maxAgeMs: SECRET_MAX_AGE_MS,
      graceMs: settings.DIRECTORY_GRACE_SECONDS * 1000,
      now: () => clock.now().getTime(),
    });
    this.feed.onChange(({ connectors }) => this.secrets.updateVersions(connectors));
    this.users = new EntitlementsCache(this.client, copies, {
      maxAgeMs: settings.ENTITLEMENTS_MAX_AGE_MS,
      graceMs: settings.DIRECTORY_GRACE_SECONDS * 1000,
      now: () => clock.now(),
    });
  }

  async onModuleInit(): Promise<void> {
    await this.feed.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.feed.stop();
    this.secrets.clear();
  }

  /** The connectors and policies in force; undefined before the first snapshot. */
  getRules(): Rules | undefined {
    return this.feed.getRules();
  }

  /** Calls the listener after every change of the snapshot. */
  onChange(listener: (rules: Rules) => void): void {
    this.feed.onChange(listener);
  }

  /** The directory's data about a user. @throws DirectoryUnavailableError */
  getEntitlements(user: AuthenticatedUser): Promise<Entitlements | undefined> {
    return this.users.get(this.createTokenUser(user));
  }

  /**
   * Whether the directory has deactivated a user. An active status is cached for 0.4 s.
   * @throws DirectoryUnavailableError
   */
  async isInactive(user: AuthenticatedUser): Promise<boolean> {
    const known = await this.users.get(this.createTokenUser(user), ACTIVITY_MAX_AGE_MS);
    return known?.active === false && (await this.getEntitlements(user))?.active === false;
  }

  private createTokenUser({ issuer, subject, claims }: AuthenticatedUser): TokenUser {
    const claim = this.feed.getBindingClaim(issuer);
    return { issuer, subject, binding: claim === undefined ? undefined : getBindingValue(claims, claim) };
  }
}

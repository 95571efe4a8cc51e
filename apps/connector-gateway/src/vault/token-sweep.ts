import { isUnavailable } from '@gatehouse/database/unavailable';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { DirectoryUnavailableError } from '../mcp/access/directory-view.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import type { GatewayDirectory } from '../ports/gateway-directory.ts';
import type { TokenClient } from './token-client.ts';
import type { TokenOwner } from './token-owner.ts';
import type { TokenVault } from './token-vault.ts';
import type { UpstreamTokensRepository } from './upstream-tokens.repository.ts';

const INTERVAL_MS = 60_000;

/** How long a connector is missing before its tokens are deleted: a draft comes back soon. */
const ABSENCE_MS = 3_600_000;

const PAGE_SIZE = 200;

/** The parts of the gateway that the sweep uses. */
export interface TokenSweepParts {
  readonly vault: Pick<TokenVault, 'disconnect'>;
  readonly repository: Pick<UpstreamTokensRepository, 'listOwners'>;
  readonly directory: Pick<GatewayDirectory, 'getRules' | 'getEntitlements' | 'requireAvailability'>;
  readonly clients: { get(connector: Connector): Promise<TokenClient> };
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Disconnects users that the directory has deactivated, and users of connectors that have been
 * missing for an hour. It deletes nothing while the directory cannot be reached. Tokens are revoked
 * at their authorization server, unless this replica has never known the connector.
 */
export class TokenSweep {
  private readonly connectors = new Map<string, Connector>();
  private readonly absentSince = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopped = false;

  constructor(private readonly parts: TokenSweepParts) {}

  /** Starts the sweeps, one a minute. Nest calls it. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.run().finally(() => {
        this.running = undefined;
      });
    }, INTERVAL_MS).unref();
  }

  /** Ends the sweep. Nest calls it. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Sweeps once. A failure is logged, and the next sweep tries again. */
  async run(): Promise<void> {
    try {
      this.parts.directory.requireAvailability();
      const current = this.parts.directory.getRules()?.connectors;
      if (current !== undefined) await this.sweep(current);
    } catch (err) {
      if (!(err instanceof DirectoryUnavailableError))
        this.parts.log.warn({ err }, 'tokens that are not needed any more could not be swept');
    }
  }

  private async sweep(current: readonly Connector[]): Promise<void> {
    this.notePresent(current);
    const present = new Set(current.map(({ id }) => id));
    let afterId: string | undefined;
    do {
      const owners = await this.parts.repository.listOwners(afterId, PAGE_SIZE);
      for (const owner of owners) {
        if (this.isStopped) return;
        const isObsolete = present.has(owner.connectorId)
          ? await this.isDeactivated(owner)
          : this.isAbsentForLong(owner.connectorId);
        if (isObsolete) await this.disconnect(owner);
      }
      afterId = owners.length < PAGE_SIZE ? undefined : owners.at(-1)?.id;
    } while (afterId !== undefined);
  }

  private notePresent(current: readonly Connector[]): void {
    for (const connector of current) {
      this.connectors.set(connector.id, connector);
      this.absentSince.delete(connector.id);
    }
  }

  private isAbsentForLong(connectorId: string): boolean {
    const now = this.parts.clock.now().getTime();
    const since = this.absentSince.get(connectorId) ?? now;
    this.absentSince.set(connectorId, since);
    return now - since >= ABSENCE_MS;
  }

  /** A user without an entry is not deactivated: the entry may need a claim of the token. */
  private async isDeactivated({ issuer, subject }: TokenOwner): Promise<boolean> {
    const entitlements = await this.parts.directory.getEntitlements({ issuer, subject, claims: {} });
    return entitlements?.active === false;
  }

  /** Disconnects an owner. A failure leaves its tokens to the next sweep and stops no other one. */
  private async disconnect(owner: TokenOwner): Promise<void> {
    const { vault, clients, log } = this.parts;
    const connector = this.connectors.get(owner.connectorId);
    try {
      await vault.disconnect(owner, connector && (() => clients.get(connector)));
      log.info({ connector: owner.connectorId }, 'the tokens of a user were deleted by the sweep');
    } catch (err) {
      // Without the database, every other one would fail too.
      if (isUnavailable(err)) throw err;
      log.warn({ err, connector: owner.connectorId }, 'the tokens of a user could not be deleted by the sweep');
    }
  }
}

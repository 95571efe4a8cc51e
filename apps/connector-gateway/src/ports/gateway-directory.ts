import type { AuthenticatedUser, Rules } from '../mcp/access/access.ts';
import type { DirectoryView, UserChangeListener } from '../mcp/access/directory-view.ts';
import type { Connector, Entitlements } from '../mcp/ports/snapshot.ts';
import type { Secrets } from '../mcp/ports/upstream-secrets.ts';

/** A change of the state of one connector for one user. */
export interface ConnectionChange {
  user: AuthenticatedUser;
  /** The current entitlements of the user. */
  entitlements: Entitlements;
  connectorId: string;
  /** Undefined resets the state to its default. */
  enabled: boolean | undefined;
  /** The version of the state to replace; undefined replaces any. */
  version: number | undefined;
}

/** The result of a change. `outdated`: the state has another version by now. */
export type ConnectionChangeResult = 'changed' | 'outdated' | 'unknown_connector';

/**
 * The directory of a gateway: its connectors and policies, the rights of users, the secrets of
 * connectors. Each mode of the gateway has its own: the enterprise manager, or a file.
 */
export abstract class GatewayDirectory implements DirectoryView {
  /** The secrets of connectors. */
  abstract readonly secrets: Secrets;
  abstract getRules(): Rules | undefined;
  abstract getEntitlements(user: AuthenticatedUser): Entitlements | undefined | Promise<Entitlements | undefined>;
  abstract onChange(listener: (rules: Rules) => void): void;
  abstract onUserChanged(user: AuthenticatedUser, listener: UserChangeListener): () => void;
  /** @throws DirectoryUnavailableError while all users are refused */
  abstract requireAvailability(): void;
  /** The rule for ids of connectors that a text breaks, such as `must be a UUID`. */
  abstract findIdProblem(text: string): string | undefined;
  /**
   * Changes the state of a connector for a user. The change holds on this replica at once.
   * @throws DirectoryUnavailableError
   */
  abstract changeConnection(change: ConnectionChange): Promise<ConnectionChangeResult>;
  /**
   * Observes the result of a listing of a connector's tools for a user.
   * @param userId undefined for a user without a directory entry
   */
  abstract observeListing(
    userId: string | undefined,
    connector: Connector,
    listing: Promise<readonly { name: string }[]>,
  ): void;
}

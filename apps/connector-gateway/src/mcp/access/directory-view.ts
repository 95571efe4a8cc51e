import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { Entitlements } from '../ports/snapshot.ts';
import type { AuthenticatedUser, Rules } from './access.ts';

/** The gateway cannot know the current rights of the user. */
export class DirectoryUnavailableError extends GatehouseError {
  override readonly code = 'directory_unavailable';
}

/** The data plane's port to the directory. */
export interface DirectoryView {
  /** The current connectors and policies; undefined before the first snapshot. */
  getRules(): Rules | undefined;
  /**
   * The entitlements of a user, at once if they are known.
   * @returns undefined for a user without a directory entry
   * @throws DirectoryUnavailableError also at once
   */
  getEntitlements(user: AuthenticatedUser): Entitlements | undefined | Promise<Entitlements | undefined>;
  /** Calls the listener after every change of the connectors and policies. */
  onChange(listener: (rules: Rules) => void): void;
  /**
   * Calls the listener with the new entitlements after each change of a user.
   * @returns a function that ends this
   */
  onUserChanged(user: AuthenticatedUser, listener: UserChangeListener): () => void;
}

/** Receives the new entitlements of a user; undefined without a directory entry. */
export type UserChangeListener = (entitlements: Entitlements | undefined) => void;

/** The key of a user: issuer and subject. */
export const getUserKey = ({ issuer, subject }: { issuer: string; subject: string }): string =>
  JSON.stringify([issuer, subject]);

/**
 * Finds the entitlements of a user, at once if they are known; undefined also while the directory
 * is unavailable.
 */
export function findEntitlements(
  directory: DirectoryView,
  user: AuthenticatedUser,
): Entitlements | undefined | Promise<Entitlements | undefined> {
  try {
    const found = directory.getEntitlements(user);
    return found instanceof Promise ? found.catch(rethrowUnlessUnavailable) : found;
  } catch (error) {
    rethrowUnlessUnavailable(error);
    return undefined;
  }
}

function rethrowUnlessUnavailable(error: unknown): undefined {
  if (!(error instanceof DirectoryUnavailableError)) throw error;
}

import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { Entitlements } from '../ports/snapshot.ts';
import type { AuthenticatedUser, Rules } from './access.ts';

/** The directory is unavailable, and the gateway has no recent copy of the user. */
export class DirectoryUnavailableError extends GatehouseError {
  override readonly code = 'directory_unavailable';
}

/** The data plane's port to the directory. */
export interface DirectoryView {
  /** The current connectors and policies; undefined before the first snapshot. */
  getRules(): Rules | undefined;
  /** @returns undefined for a user without a directory entry @throws DirectoryUnavailableError */
  getEntitlements(user: AuthenticatedUser): Promise<Entitlements | undefined>;
  /** Whether the directory has deactivated a user. @throws DirectoryUnavailableError */
  isInactive(user: AuthenticatedUser): Promise<boolean>;
}

/** The key of a user: issuer and subject. */
export const getUserKey = ({ issuer, subject }: { issuer: string; subject: string }): string =>
  JSON.stringify([issuer, subject]);

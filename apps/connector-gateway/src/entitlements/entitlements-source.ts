import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { TaggedDocument } from '@gatehouse/service-kit/manager-connection';
import type { Entitlements } from '../mcp/ports/snapshot.ts';

/** The user of a verified token. */
export interface TokenUser {
  issuer: string;
  subject: string;
  /** The value of the issuer's binding claim, if that is not the subject. */
  binding?: string | undefined;
}

/** The place where the entitlements of users are stored. */
export interface EntitlementsSource {
  /**
   * Fetches the entitlements of a user.
   * @returns undefined without a change since `etag`
   * @throws UnknownUserError; another error while the source is unavailable
   */
  fetchEntitlements(user: TokenUser, etag: string | undefined): Promise<TaggedDocument<Entitlements> | undefined>;
}

/** The source has no entry of the user. */
export class UnknownUserError extends GatehouseError {
  override readonly code = 'unknown_user';
}

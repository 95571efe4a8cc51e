import type { ServerResponse } from 'node:http';
import type { AuthenticatedUser } from '../access/access.ts';
import { type DirectoryView, findEntitlements } from '../access/directory-view.ts';
import { HttpRefusalError } from '../http/http-refusal.ts';

/** Refuses users after their deactivation in the directory, and ends their open responses. */
export class ActivityCheck {
  constructor(private readonly directory: DirectoryView) {}

  /**
   * Admits a request, and ends its response when its user is deactivated or removed. While the
   * directory is unavailable, each message checks the rights itself.
   * @throws HttpRefusalError 403 for an inactive user
   */
  async admit(user: AuthenticatedUser, response: ServerResponse): Promise<void> {
    // A closed response emits no further event that would end the listener.
    if (response.closed) return;
    let hasEntry = false;
    // The listener exists before the lookup, so that no change between the two is missed.
    const stop = this.directory.onUserChanged(user, (entitlements) => {
      const isInactive = entitlements === undefined ? hasEntry : !entitlements.active;
      if (isInactive) response.destroy();
      hasEntry ||= entitlements !== undefined;
    });
    response.once('close', stop);
    const entitlements = await findEntitlements(this.directory, user);
    if (entitlements?.active === false) throw new HttpRefusalError(403, -32001, 'no active directory entry');
    hasEntry ||= entitlements !== undefined;
  }
}

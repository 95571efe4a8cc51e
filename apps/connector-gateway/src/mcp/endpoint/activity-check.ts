import type { ServerResponse } from 'node:http';
import type { AuthenticatedUser } from '../access/access.ts';
import { type DirectoryView, findEntitlements } from '../access/directory-view.ts';
import { HttpRefusalError } from '../http/http-refusal.ts';
import type { Entitlements } from '../ports/snapshot.ts';

/** Refuses users after their deactivation in the directory, and ends their open responses. */
export class ActivityCheck {
  constructor(private readonly directory: DirectoryView) {}

  /**
   * Admits a request, and ends its response when its user is deactivated or removed. While the
   * directory is unavailable, each message checks the rights itself.
   * @returns undefined if the user is known @throws HttpRefusalError 403 for an inactive user
   */
  admit(user: AuthenticatedUser, response: ServerResponse): Promise<void> | undefined {
    // A closed response emits no further event that would end the listener.
    if (response.closed) return undefined;
    let hasEntry = false;
    // The listener exists before the lookup, so that no change between the two is missed.
    const stop = this.directory.onUserChanged(user, (entitlements) => {
      const isInactive = entitlements === undefined ? hasEntry : !entitlements.active;
      if (isInactive) response.destroy();
      hasEntry ||= entitlements !== undefined;
    });
    response.once('close', stop);
    const requireActive = (entitlements: Entitlements | undefined) => {
      if (entitlements?.active === false) throw new HttpRefusalError(403, -32001, 'no active directory entry');
      hasEntry ||= entitlements !== undefined;
    };
    const found = findEntitlements(this.directory, user);
    if (found instanceof Promise) return found.then(requireActive);
    requireActive(found);
    return undefined;
  }
}

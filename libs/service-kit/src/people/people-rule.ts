import { isGatewayOnly } from '@gatehouse/auth/roles';
import type { Caller } from '../routes/access.ts';
import type { RequestedRoute, CallerRule } from '../routes/caller-rule.ts';
import type { PeopleFeed } from './people-feed.ts';
import { HttpError } from '../errors/http-error.ts';

/** The error for an inactive user. */
export const noActiveEntry = (): HttpError => new HttpError('forbidden', 'no active directory entry');

/**
 * Whether the directory decides about a call: not for a gateway token, and not for a route that is
 * open to inactive users.
 */
export const isAboutPeople = (caller: Pick<Caller, 'roles'>, { facts }: RequestedRoute): boolean =>
  !isGatewayOnly(caller.roles) && facts.inactive !== 'admitted';

/**
 * Refuses users that are inactive in the directory of the enterprise manager, and all users while
 * their activity is unknown.
 */
export class PeopleRule implements CallerRule {
  constructor(private readonly feed: Pick<PeopleFeed, 'getActivity'>) {}

  findError(caller: Caller, route: RequestedRoute): HttpError | undefined {
    if (!isAboutPeople(caller, route)) return undefined;
    const activity = this.feed.getActivity(caller);
    if (activity === 'active') return undefined;
    if (activity === 'inactive') return noActiveEntry();
    return new HttpError('unavailable', 'the enterprise manager cannot confirm that you are active; try again later', {
      retryAfterMs: 5_000,
    });
  }
}

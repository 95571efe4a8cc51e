import { isGatewayAlone } from '@gatehouse/auth/roles';
import type { Caller } from '../routes/access.ts';
import type { RequestedRoute, CallerRule } from '../routes/caller-rule.ts';
import type { PeopleFeed } from './people-feed.ts';
import { HttpError } from '../errors/http-error.ts';

/** What an inactive person is told. */
export const noActiveEntry = (): HttpError => new HttpError('forbidden', 'no active directory entry');

/**
 * Whether the directory has a say in who calls a route: a service's own client is no person, and
 * some routes are open to inactive people.
 */
export const isAboutPeople = (caller: Pick<Caller, 'roles'>, { facts }: RequestedRoute): boolean =>
  !isGatewayAlone(caller.roles) && facts.inactive !== 'admitted';

/**
 * Refuses people whom the enterprise manager says to be inactive, and everybody while it says
 * nothing.
 */
export class PeopleRule implements CallerRule {
  constructor(private readonly feed: Pick<PeopleFeed, 'activityOf'>) {}

  findError(caller: Caller, route: RequestedRoute): HttpError | undefined {
    if (!isAboutPeople(caller, route)) return undefined;
    const activity = this.feed.activityOf(caller);
    if (activity === 'active') return undefined;
    if (activity === 'inactive') return noActiveEntry();
    return new HttpError('unavailable', 'the enterprise manager cannot be asked who is active; try again later', {
      retryAfterMs: 5_000,
    });
  }
}

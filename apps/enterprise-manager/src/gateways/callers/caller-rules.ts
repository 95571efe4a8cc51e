import type { Caller } from '@gatehouse/service-kit/access';
import type { RequestedRoute, CallerRule } from '@gatehouse/service-kit/caller-rule';
import { isAboutPeople, noActiveEntry } from '@gatehouse/service-kit/people-rule';
import type { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { Gateways } from '../settings/gateways.ts';
import { InactiveUserCheck } from '../../people/deactivation/inactive-user-check.ts';
import type { GatewayAccess } from '../settings/requires-gateway.ts';

/**
 * The checks of callers besides their roles: the gateway of a client is registered for the route,
 * and a user is not deactivated.
 */
@Injectable()
export class CallerRules implements CallerRule {
  constructor(
    private readonly gateways: Gateways,
    private readonly people: InactiveUserCheck,
  ) {}

  findError(caller: Caller, route: RequestedRoute): HttpError | undefined | Promise<HttpError | undefined> {
    const { facts, params } = route;
    const denial =
      facts.gateway && this.gateways.findDenial(caller, facts.gateway as GatewayAccess, params['gateway_id']);
    if (denial !== undefined || !isAboutPeople(caller, route)) return denial;
    const inactive = this.people.isInactive(caller);
    return inactive instanceof Promise ? inactive.then(toError) : toError(inactive);
  }
}

const toError = (inactive: boolean): HttpError | undefined => (inactive ? noActiveEntry() : undefined);

import { openResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import { GatewayAuthentication } from '@gatehouse/live-gateway/gateway-authentication';
import type { CallerRule } from '@gatehouse/service-kit/caller-rule';
import { PeopleModule, peopleRule } from '@gatehouse/service-kit/people.module';
import type { ServiceOptions } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import { AuditLog } from './audit/audit-log.ts';
import type { Settings } from './config/config.ts';
import { service } from './openapi.ts';
import { CallerRateLimit } from './rate-limit/caller-rate-limit.ts';
import { toHttpError } from './resources/store-failures.ts';

/** Returns the options of the service. @throws ConfigError when the settings name no resources */
export function createServiceOptions(settings: Settings): ServiceOptions {
  const authentication = new GatewayAuthentication(settings);
  const resources = { stores: openResourceStores(settings), authentication };
  const people = PeopleModule.following(settings);
  return {
    ...service,
    settings,
    authentication,
    module: AppModule.createForService({ settings, resources, people }),
    ...createCallerRule(settings),
    onRefused: (event, app) => app.get(AuditLog, { strict: false }).recordRefusal(event),
    toHttpError,
  };
}

/** The rules for callers beyond their roles: active users only, and not too many requests. */
function createCallerRule(settings: Settings): Pick<ServiceOptions, 'callerRule'> {
  const people = peopleRule(settings);
  const { REQUESTS_PER_MINUTE: perMinute } = settings;
  if (perMinute === 0) return people;
  const limit = new CallerRateLimit(perMinute);
  const { callerRule: createPeopleRule } = people;
  return { callerRule: (app) => (createPeopleRule ? combineRules(createPeopleRule(app), limit) : limit) };
}

/** Combines two rules for callers. The first refusal decides. */
const combineRules = (first: CallerRule, second: CallerRule): CallerRule => ({
  findError: async (caller, route) => (await first.findError(caller, route)) ?? second.findError(caller, route),
});

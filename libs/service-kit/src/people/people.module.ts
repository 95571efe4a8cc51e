import { type DynamicModule, Module } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../kit/clock.ts';
import { ConfigError, httpUrl, json, secret } from '../config/config.ts';
import { ClientToken } from '../manager/client-token.ts';
import { ManagerConnection } from '../manager/manager-connection.ts';
import { Log } from '../telemetry/log.ts';
import { fetchFromManager } from './people-changes.ts';
import { PeopleFeed } from './people-feed.ts';
import { PeopleRule } from './people-rule.ts';
import { Readiness } from '../telemetry/readiness.ts';
import type { ServiceOptions } from '../start/start.ts';

/**
 * The variables of a service that reads the inactive users from the enterprise manager, for the
 * schema of its settings.
 */
export const peopleSettings = {
  ENTERPRISE_MANAGER_URL: httpUrl()
    .optional()
    .describe(
      'Address of the enterprise manager. The service refuses a user within 1 s after the enterprise manager deactivated the user. Without the address, a token is valid until it expires',
    ),
  TOKEN_URL: httpUrl()
    .optional()
    .describe(
      'Token endpoint for the access token of this service (client credentials); required with ENTERPRISE_MANAGER_URL',
    ),
  CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Client of that token endpoint, with the role `gateway` and an entry in `GATEWAYS` of the enterprise manager',
    ),
  CLIENT_SECRET: secret(z.string().min(1)).optional().describe('Its secret'),
  TOKEN_PARAMETERS: json(z.record(z.string(), z.string()))
    .default({})
    .describe('JSON object of further form fields for the token endpoint, for example `audience` or `resource`'),
};

type PeopleSettings = z.output<z.ZodObject<typeof peopleSettings>>;

/**
 * @param further further variables that ENTERPRISE_MANAGER_URL requires
 * @throws ConfigError naming the missing ones
 */
export function requireWholePeopleSettings<Settings extends PeopleSettings>(
  settings: Settings,
  further: readonly (keyof Settings & string)[] = [],
): void {
  if (settings.ENTERPRISE_MANAGER_URL === undefined) return;
  const required = ['TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET', ...further] as const;
  const missing = required.filter((name) => settings[name] === undefined);
  if (missing.length > 0)
    throw new ConfigError(missing.map((name) => `${name}: is required if ENTERPRISE_MANAGER_URL is set`));
}

/**
 * Reads the inactive users from the enterprise manager, if its address is configured. It also
 * provides the connection to it.
 */
@Module({})
export class PeopleModule {
  /** The module; an empty one without ENTERPRISE_MANAGER_URL. */
  static following(settings: PeopleSettings): DynamicModule {
    const { ENTERPRISE_MANAGER_URL, TOKEN_URL, CLIENT_ID, CLIENT_SECRET, TOKEN_PARAMETERS } = settings;
    if (ENTERPRISE_MANAGER_URL === undefined) return { module: PeopleModule };
    const connect = (clock: Clock) =>
      new ManagerConnection(
        ENTERPRISE_MANAGER_URL,
        new ClientToken({
          tokenUrl: TOKEN_URL ?? '',
          clientId: CLIENT_ID ?? '',
          clientSecret: CLIENT_SECRET ?? '',
          parameters: TOKEN_PARAMETERS,
          now: () => clock.now().getTime(),
        }),
      );
    const open = (manager: ManagerConnection, clock: Clock, log: Log, readiness: Readiness) => {
      const feed = new PeopleFeed(fetchFromManager(manager), clock, log);
      readiness.register('people', () => feed.requireKnown());
      return feed;
    };
    return {
      module: PeopleModule,
      providers: [
        { provide: ManagerConnection, useFactory: connect, inject: [Clock] },
        { provide: PeopleFeed, useFactory: open, inject: [ManagerConnection, Clock, Log, Readiness] },
        { provide: PeopleRule, useFactory: (feed: PeopleFeed) => new PeopleRule(feed), inject: [PeopleFeed] },
      ],
      exports: [ManagerConnection, PeopleRule],
    };
  }
}

/** The rule about callers of such a service. */
export const peopleRule = (settings: PeopleSettings): Pick<ServiceOptions, 'callerRule'> =>
  settings.ENTERPRISE_MANAGER_URL === undefined ? {} : { callerRule: (app) => app.get(PeopleRule, { strict: false }) };

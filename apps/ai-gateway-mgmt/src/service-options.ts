import { PeopleModule, peopleRule } from '@gatehouse/service-kit/people.module';
import type { ServiceOptions } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import type { Settings } from './config/config.ts';
import { service } from './openapi.ts';

/** Returns the options of the service. */
export const createServiceOptions = (settings: Settings): ServiceOptions => ({
  ...service,
  settings,
  module: AppModule.with(() => settings, [PeopleModule.following(settings)]),
  ...peopleRule(settings),
});

import { gatewaySettings } from '@gatehouse/live-gateway/gateway-settings';
import { loadConfig, port, serviceSettings } from '@gatehouse/service-kit/config';
import { peopleSettings, requireWholePeopleSettings } from '@gatehouse/service-kit/people.module';
import { z } from 'zod';

// The AIGateway names the issuer and the audience of access tokens.
const { ISSUERS: _issuers, AUDIENCE: _audience, ...common } = serviceSettings;

/** Every variable of this service. */
export const settingsSchema = z.object({
  ...common,
  ...peopleSettings,
  PORT: port(8082).describe('Port to listen on; 0 lets the system choose'),
  METRICS_PORT: port(9092).describe('Port of `/metrics` (Prometheus); 0 turns it off'),
  ...gatewaySettings,
  REQUESTS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(60_000)
    .describe('Requests of one caller in a minute, after which a replica answers 429; 0 sets no limit'),
});

/** The settings of a running service. */
export type Settings = z.output<typeof settingsSchema>;

/** Injection token of the Settings. */
export const SETTINGS = Symbol('settings');

/** Reads the settings from the environment. @throws ConfigError with every problem */
export const loadSettings = (env: Readonly<Record<string, string | undefined>> = process.env): Settings => {
  const settings = loadConfig(settingsSchema, env);
  requireWholePeopleSettings(settings);
  return settings;
};

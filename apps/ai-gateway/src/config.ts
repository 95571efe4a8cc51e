import { gatewaySettings } from '@gatehouse/live-gateway/gateway-settings';
import { loadConfig, port, serviceSettings } from '@gatehouse/service-kit/config';
import { peopleSettings, requireWholePeopleSettings } from '@gatehouse/service-kit/people.module';
import { z } from 'zod';
import { leaseSettings } from './admission/lease-settings.ts';

// The AIGateway names the issuer and the audience of access tokens.
const { CURSOR_KEY: _key, ISSUERS: _issuers, AUDIENCE: _audience, ...common } = serviceSettings;

/** Every variable of this service. */
export const settingsSchema = z.object({
  ...common,
  ...peopleSettings,
  PORT: port(8083).describe('Port to listen on; 0 lets the system choose'),
  METRICS_PORT: port(9093).describe('Port of `/metrics` (Prometheus); 0 turns it off'),
  ...gatewaySettings,
  ...leaseSettings,
});

/** The settings of a running service. */
export type Settings = z.output<typeof settingsSchema>;

/** Reads the settings from the environment. @throws ConfigError with every problem */
export const loadSettings = (env: Readonly<Record<string, string | undefined>> = process.env): Settings => {
  const settings = loadConfig(settingsSchema, env);
  requireWholePeopleSettings(settings);
  return settings;
};

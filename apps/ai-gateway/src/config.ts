import { gatewaySettings } from '@gatehouse/live-gateway/gateway-settings';
import { flag, loadConfig, port, serviceSettings } from '@gatehouse/service-kit/config';
import { peopleSettings, requireWholePeopleSettings } from '@gatehouse/service-kit/people.module';
import { z } from 'zod';
import { leaseSettings } from './admission/lease-settings.ts';
import { settlementSettings } from './settlement/settlement-settings.ts';

/** The key of the settings for the injection of Nest. */
export const SETTINGS = Symbol('settings');

const positive = (fallback: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,9}$/, 'must be a whole number above 0')
    .transform(Number)
    .default(fallback);

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
  ...settlementSettings,
  ALLOW_LOOPBACK_PROVIDERS: flag(false).describe('Allow providers on loopback addresses of this machine'),
  MAX_REQUEST_BYTES: positive(32 * 1024 * 1024).describe(
    'Largest body of a model call, in bytes; `spec.limits.requestBytes` of the AIGateway replaces it',
  ),
  REQUEST_MEMORY_BYTES: positive(512 * 1024 * 1024).describe(
    'Most bytes of the bodies of running model calls together. Beyond it, and beyond a quarter of it for one user, further bodies are refused',
  ),
  CONNECT_SECONDS: positive(5).describe('Longest time to connect to a provider; a route can have its own'),
  REQUEST_SECONDS: positive(600).describe('Longest time of a model call; a route can have its own'),
  STREAM_IDLE_SECONDS: positive(60).describe(
    'Longest time between two parts of a response of a provider; a route can have its own',
  ),
  GATEWAY_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Id of this gateway in `GATEWAYS` of the enterprise manager, for example `local-ai`; required with ENTERPRISE_MANAGER_URL',
    ),
});

/** The settings of a running service. */
export type Settings = z.output<typeof settingsSchema>;

/** Reads the settings from the environment. @throws ConfigError with every problem */
export const loadSettings = (env: Readonly<Record<string, string | undefined>> = process.env): Settings => {
  const settings = loadConfig(settingsSchema, env);
  requireWholePeopleSettings(settings, ['GATEWAY_ID']);
  return settings;
};

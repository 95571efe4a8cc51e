import { loadConfig, port, serviceSettings } from '@gatehouse/service-kit/config';
import { peopleSettings, requireWholePeopleSettings } from '@gatehouse/service-kit/people.module';
import { z } from 'zod';

const { CURSOR_KEY: _unused, ...common } = serviceSettings;

/** Every variable of this service. */
export const settingsSchema = z.object({
  ...common,
  ...peopleSettings,
  PORT: port(8083).describe('Port to listen on; 0 lets the system choose'),
  METRICS_PORT: port(9093).describe('Port of `/metrics` (Prometheus); 0 turns it off'),
  GATEWAY_FILE: z
    .string()
    .min(1)
    .describe('Path of the YAML file with an AIGateway; its routes are the models of this gateway'),
});

/** The settings of a running service. */
export type Settings = z.output<typeof settingsSchema>;

/** Reads the settings from the environment. @throws ConfigError with every problem */
export const loadSettings = (env: Readonly<Record<string, string | undefined>> = process.env): Settings => {
  const settings = loadConfig(settingsSchema, env);
  requireWholePeopleSettings(settings);
  return settings;
};

import { flag, httpUrl, loadConfig, port } from '@gatehouse/service-kit/config';
import { z } from 'zod';

/** Every variable of the console's server. */
export const settingsSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  PORT: port(8084).describe('Port to listen on'),
  PUBLIC_URL: httpUrl()
    .optional()
    .describe('Address under which browsers reach the console; default `http://HOST:PORT`'),
  ISSUER: httpUrl().describe('OpenID provider that signs users in'),
  CLIENT_ID: z.string().min(1).default('gatehouse-console').describe('Public client of the console at that provider'),
  ENTERPRISE_MANAGER_URL: httpUrl().describe('Enterprise manager'),
  CONNECTOR_GATEWAY_URL: httpUrl().describe('Connector gateway (control plane)'),
  AI_GATEWAY_MGMT_URL: httpUrl().describe('AI gateway management'),
  AI_GATEWAY_URL: httpUrl().describe('AI gateway'),
  IDENTITY_PROVIDER_URL: httpUrl().optional().describe('Identity provider, to show its state too'),
  EXIT_WITH_PARENT: flag(false).describe('Shut down when the parent process ends'),
});

/** The settings of a running console. */
export type Settings = z.output<typeof settingsSchema>;

/** Reads the settings from the environment. @throws ConfigError with every problem */
export const loadSettings = (env: Readonly<Record<string, string | undefined>> = process.env): Settings =>
  loadConfig(settingsSchema, env);

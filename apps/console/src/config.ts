import { z } from 'zod';

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().max(65_535));

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** Every variable of the console's server. */
export const settingsSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  PORT: port.default(8084).describe('Port to listen on'),
  PUBLIC_URL: url.optional().describe('Address under which browsers reach the console; default `http://HOST:PORT`'),
  ISSUER: url.describe('OpenID provider that signs people in'),
  CLIENT_ID: z.string().min(1).default('gatehouse-console').describe('Public client of the console at that provider'),
  ENTERPRISE_MANAGER_URL: url.describe('Enterprise manager'),
  CONNECTOR_GATEWAY_URL: url.describe('Connector gateway (control plane)'),
  AI_GATEWAY_MGMT_URL: url.describe('AI gateway management'),
  AI_GATEWAY_URL: url.describe('AI gateway'),
  IDENTITY_PROVIDER_URL: url.optional().describe('Identity provider, to show its state too'),
  EXIT_WITH_PARENT: z
    .enum(['true', 'false', '1', '0'])
    .default('false')
    .transform((value) => value === 'true' || value === '1')
    .describe('Shut down when the parent process is gone'),
});

/** The settings of a running console. */
export type Settings = z.output<typeof settingsSchema>;

/** Settings that cannot be used: every problem, one a line. */
export class SettingsError extends Error {}

/** Reads the settings. An empty variable counts as unset. @throws {SettingsError} with every problem */
export function loadSettings(env: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = settingsSchema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new SettingsError(`The configuration cannot be used:\n${problems.join('\n')}`);
}

import { flag, json, loadConfig, port, secret, serviceSettings } from '@gatehouse/service-kit/config';
import { comparisonKey } from './directory/names.ts';
import { z } from 'zod';

const oneLine = (maximum: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maximum)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line of text');

/** A person that the configuration puts into the directory. */
const seedUser = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }),
  subject: oneLine(255),
  user_name: oneLine(255),
  email: oneLine(254).optional(),
  display_name: oneLine(255),
});

const gateway = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens'),
  display_name: oneLine(255),
});

const coordinate = () => z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url');

/** A private key for ES256 (RFC 7518). Whatever else the JWK says is left alone. */
const signingKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate(),
  y: coordinate(),
  d: coordinate(),
  kid: z.string().min(1).optional(),
});

const withoutRepeats = <T>(keyOf: (item: T) => string, message: string) =>
  [(items: T[]) => new Set(items.map(keyOf)).size === items.length, message] as const;

/** Every variable of this service. */
export const settingsSchema = z.object({
  ...serviceSettings,
  PORT: port(8080).describe('Port to listen on; 0 lets the system choose'),
  METRICS_PORT: port(9090).describe('Port of `/metrics` (Prometheus); 0 turns it off'),
  DATABASE_URL: secret(z.url({ protocol: /^postgres(ql)?$/ }))
    .optional()
    .describe('Postgres 15 or newer, as the role that reads and writes rows; without it an embedded one is started'),
  DATABASE_OWNER_URL: secret(z.url({ protocol: /^postgres(ql)?$/ }))
    .optional()
    .describe('The same database as the role that owns the tables, for migrations; default `DATABASE_URL`'),
  GATEHOUSE_HOME: z.string().min(1).default('.gatehouse').describe('Folder of the embedded Postgres'),
  GATEWAYS: json(
    z.array(gateway).refine(...withoutRepeats((item: z.output<typeof gateway>) => item.id, 'names an id twice')),
  )
    .default([])
    .describe('JSON list of the connector gateways: `id`, `display_name`'),
  SEED_USERS: secret(
    json(
      z
        .array(seedUser)
        .refine(
          ...withoutRepeats(
            (user: SeedUser) => JSON.stringify([user.issuer, user.subject]),
            'names a person (issuer, subject) twice',
          ),
        )
        .refine(
          ...withoutRepeats(
            (user: SeedUser) => JSON.stringify([user.issuer, comparisonKey(user.user_name)]),
            'gives one user_name to two people of an issuer',
          ),
        ),
    ),
  )
    .optional()
    .describe(
      'JSON list of people for the directory: `issuer`, `subject`, `user_name`, `email`, `display_name`; they are added or renamed at start, never removed',
    ),
  ALLOW_LOOPBACK_UPSTREAMS: flag(false).describe('Let connectors point at this machine (one-machine installations)'),
  CLIENT_ID: z.string().min(1).default('gatehouse-cli').describe('Public OpenID client named to clients that sign in'),
  PUBLISH_RESOURCE_METADATA: flag(true).describe('Answer `/.well-known/oauth-protected-resource` (RFC 9728)'),
  SIGNING_KEY: secret(json(signingKey))
    .optional()
    .describe('ES256 private key (JWK) whose public half the key set shows; without it the key set answers 503'),
});

/** The settings of a running service. */
export type Settings = z.output<typeof settingsSchema>;

/** One entry of SEED_USERS. */
export type SeedUser = z.output<typeof seedUser>;

/** Injection token of the Settings. */
export const SETTINGS = Symbol('settings');

/** Reads the settings from the environment. @throws ConfigError with every problem */
export const loadSettings = (env: Readonly<Record<string, string | undefined>> = process.env): Settings =>
  loadConfig(settingsSchema, env);

/** Where callers reach this service, without a slash at the end. */
export const publicUrl = ({ PUBLIC_URL, HOST, PORT }: Settings): string =>
  PUBLIC_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;

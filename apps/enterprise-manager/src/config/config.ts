import { formatHost } from '@gatehouse/egress/host';
import {
  ConfigError,
  flag,
  httpUrl,
  json,
  loadConfig,
  port,
  secret,
  serviceSettings,
} from '@gatehouse/service-kit/config';
import { defineKubernetesNamespace } from '@gatehouse/kubernetes/secret-ref';
import { CLAIM_NAME, CLAIM_TYPES, type ClaimMapping, STANDARD_CLAIMS } from '@gatehouse/policy/claims';
import { toComparisonKey } from '../validation/names.ts';
import { gatewayList, oneLine } from './gateway-settings.ts';
import { additionalPrices } from './price-settings.ts';
import { defineKeyEncryptionSettings, findKeyPlaceProblem } from '@gatehouse/key-encryption/key-encryption-settings';
import { z } from 'zod';

/** A user that the configuration adds to the directory. */
const seedUser = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }),
  subject: oneLine(255),
  user_name: oneLine(255),
  email: oneLine(254).optional(),
  display_name: oneLine(255),
});

/** A time in whole seconds. */
const seconds = (least: number, most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,8}$/, 'must be a number of seconds')
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .default(fallback);

/** A retention in days. */
const retentionDays = () =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number of days')
    .transform(Number)
    .pipe(z.number().min(30))
    .default(400);

/** A part of a path of the Kubernetes API. */
const kubernetesName = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'must be a Kubernetes name');

/** A custom resource whose objects describe MCP servers. */
const discoveryResource = z.strictObject({
  group: kubernetesName,
  versions: z.tuple([kubernetesName], kubernetesName),
  plural: kubernetesName,
});

/** A custom resource of DISCOVERY_RESOURCES. */
export type DiscoveryResource = z.output<typeof discoveryResource>;

/** The resource of Gatehouse and those of common operators. Newer versions come first. */
const DISCOVERY_RESOURCES: DiscoveryResource[] = [
  { group: 'gatehouse.dev', versions: ['v1alpha1'], plural: 'mcpservers' },
  ...['mcpservers', 'mcpremoteproxies', 'mcpserverentries', 'virtualmcpservers'].map((plural): DiscoveryResource => ({
    group: 'toolhive.stacklok.dev',
    versions: ['v1beta1', 'v1alpha1'],
    plural,
  })),
  { group: 'kagent.dev', versions: ['v1alpha1'], plural: 'mcpservers' },
  { group: 'kagent.dev', versions: ['v1alpha2'], plural: 'remotemcpservers' },
];

/** The arguments of a `refine` that requires a different key for each item. */
const uniqueBy = <T>(getKey: (item: T) => string, message: string) =>
  [(items: T[]) => new Set(items.map(getKey)).size === items.length, message] as const;

const MAX_CLAIMS = 100;

/** Every variable of this service. */
export const settingsSchema = z.object({
  ...serviceSettings,
  PORT: port(8080).describe('Port to listen on; 0 lets the system choose'),
  METRICS_PORT: port(9090).describe('Port of `/metrics` (Prometheus); 0 turns it off'),
  DATABASE_URL: secret(z.url({ protocol: /^postgres(ql)?$/ }))
    .optional()
    .describe(
      'Postgres 15 or newer, with the role that reads and writes rows; without it, the service starts an embedded Postgres',
    ),
  DATABASE_OWNER_URL: secret(z.url({ protocol: /^postgres(ql)?$/ }))
    .optional()
    .describe('The same database with the role that owns the tables, for migrations; default `DATABASE_URL`'),
  GATEHOUSE_HOME: z.string().min(1).default('.gatehouse').describe('Folder of the embedded Postgres'),
  GATEWAYS: json(gatewayList)
    .default([])
    .describe(
      'JSON list of the gateways: `id`, `display_name`, `kind` (`connector`, `ai` or `management`), `client_ids` (list of `issuer`, `client_id`: the clients whose tokens act for the gateway). Optional: `secrets` of an `ai` gateway (ids of the secrets that it may read); `retired: true` (the gateway may only report usage). Calls for another id answer 404',
    ),
  SEED_USERS: secret(
    json(
      z
        .array(seedUser)
        .refine(
          ...uniqueBy(
            (user: SeedUser) => JSON.stringify([user.issuer, user.subject]),
            'names a user (issuer, subject) twice',
          ),
        )
        .refine(
          ...uniqueBy(
            (user: SeedUser) => JSON.stringify([user.issuer, toComparisonKey(user.user_name)]),
            'gives two users of an issuer the same user_name',
          ),
        ),
    ),
  )
    .optional()
    .describe(
      'JSON list of users for the directory: `issuer`, `subject`, `user_name`, `display_name`, optional `email`. Each start adds or renames these users and removes none',
    ),
  AUDIT_RETENTION_DAYS: retentionDays().describe(
    'Days after which a whole month of the audit trail is dropped; at least 30',
  ),
  USAGE_RETENTION_DAYS: retentionDays().describe(
    'Days after which a whole month of usage events and charges is dropped; at least 30. Daily sums stay',
  ),
  TOOL_CALL_RETENTION_DAYS: retentionDays().describe(
    'Days after which the chains of a whole month of tool calls are dropped; at least 30. Sums stay',
  ),
  REQUIRE_BUDGET: flag(false).describe(
    'Refuse the requests of users without a budget; by default, they are admitted without a limit',
  ),
  ADDITIONAL_PRICES: json(additionalPrices)
    .default([])
    .describe(
      'JSON list of prices of models that the release does not price, such as those on own servers: `provider`, `model` and the rates in USD per million tokens in the block of a vendor, such as `"openai": {"inputUsdPerMillion": "1", "outputUsdPerMillion": "2"}`. They apply until the first own price',
    ),
  RESERVATION_SECONDS: seconds(60, 86_400, 900).describe(
    'Seconds for which the reservation of an admitted request holds its amount, unless it is extended',
  ),
  SPEND_EXPORT_ENABLED: flag(false).describe('Offer `GET /v1/budgets/spend/export`, which otherwise answers 404'),
  ALLOW_LOOPBACK_UPSTREAMS: flag(false).describe(
    'Allow connectors with an endpoint on this machine (one-machine installations)',
  ),
  POLICY_CLAIMS: json(
    z
      .record(z.string().regex(CLAIM_NAME, 'must be letters, digits and _'), z.enum(CLAIM_TYPES))
      .refine((claims) => Object.keys(claims).length <= MAX_CLAIMS, `names more than ${MAX_CLAIMS} claims`),
  )
    .default({})
    .describe(
      'JSON object of further token claims for policies (`principal.claim_<name>`), each name with its type: `String`, `Long`, `Bool` or `Set<String>`',
    ),
  CLIENT_ID: z.string().min(1).default('gatehouse-cli').describe('Public OpenID client with which clients sign in'),
  CONFIG_LIFETIME_SECONDS: seconds(600, 30 * 86_400, 86_400).describe(
    'Lifetime of a signed configuration in seconds; after half of it, the service issues a new one',
  ),
  CONFIG_REFRESH_SECONDS: seconds(10, 86_400, 300).describe(
    'Seconds between two requests of a client for its configuration; at most a quarter of the lifetime',
  ),
  ...defineKeyEncryptionSettings('Without a key, operations on secrets answer 503'),
  DISCOVERY_ENABLED: flag(true).describe('Search the cluster for MCP servers'),
  DISCOVERY_KUBERNETES_URL: httpUrl()
    .optional()
    .describe(
      'Kubernetes API of the cluster to search; by default that of the cluster in which the service runs. Without either, no servers are found',
    ),
  DISCOVERY_TOKEN_PATH: z
    .string()
    .min(1)
    .optional()
    .describe('File with the bearer token for that API, read for every request; by default the token of the pod'),
  DISCOVERY_CA_PATH: z
    .string()
    .min(1)
    .optional()
    .describe('File with the certificate authority of that API; by default the file of the pod'),
  DISCOVERY_RESOURCES: json(z.array(discoveryResource))
    .default(DISCOVERY_RESOURCES)
    .describe(
      'JSON list of the custom resources that describe MCP servers: `group`, `versions` (the first served version is used), `plural`. Annotated Services are also found',
    ),
  DISCOVERY_NAMESPACES: json(z.array(kubernetesName))
    .default([])
    .describe('JSON list of the namespaces to search; by default all of the cluster'),
  DISCOVERY_STALE_SECONDS: seconds(1, 86_400, 60).describe(
    'Seconds for which the last known servers are listed while the cluster does not answer; then 503',
  ),
  KUBERNETES_SECRETS_NAMESPACES: json(z.array(defineKubernetesNamespace()))
    .default([])
    .describe(
      'JSON list of the namespaces whose Secrets connectors may reference (`kubernetes_secret`). The gateways read the Secrets and need the same setting. An empty list refuses such references',
    ),
  KUBERNETES_SERVICE_HOST: z.string().min(1).optional().describe('Set by Kubernetes in every pod'),
  KUBERNETES_SERVICE_PORT: z.string().min(1).optional().describe('Set by Kubernetes in every pod'),
});

/** The settings of a running service. */
export type Settings = z.output<typeof settingsSchema>;

/** One entry of SEED_USERS. */
export type SeedUser = z.output<typeof seedUser>;

/** Injection token of the Settings. */
export const SETTINGS = Symbol('settings');

/** Reads the settings from the environment. @throws ConfigError with every problem */
export function loadSettings(env: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const settings = loadConfig(settingsSchema, env);
  const problem = findKeyPlaceProblem(settings);
  if (problem !== undefined) throw new ConfigError([`KEY_ENCRYPTION_KEYS_DIR: ${problem}`]);
  if (settings.CONFIG_REFRESH_SECONDS * 4 > settings.CONFIG_LIFETIME_SECONDS)
    throw new ConfigError(['CONFIG_REFRESH_SECONDS: must be at most a quarter of CONFIG_LIFETIME_SECONDS']);
  const issuers = new Set(settings.ISSUERS.map(({ issuer }) => issuer));
  const foreign = settings.GATEWAYS.flatMap(({ client_ids }, at) =>
    client_ids.flatMap(({ issuer }, place) =>
      issuers.has(issuer) ? [] : [`GATEWAYS: [${at}].client_ids[${place}].issuer: must be an issuer of ISSUERS`],
    ),
  );
  if (foreign.length > 0) throw new ConfigError(foreign);
  return settings;
}

/** The token claims that policies can read, with their types. */
export const policyClaims = ({ POLICY_CLAIMS }: Settings): ClaimMapping => ({ ...STANDARD_CLAIMS, ...POLICY_CLAIMS });

/** The base URL of this service for callers, without a trailing slash. */
export const publicUrl = ({ PUBLIC_URL, HOST, PORT }: Settings): string =>
  PUBLIC_URL ?? `http://${formatHost(HOST)}:${PORT}`;

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
import { kubernetesNamespace } from '@gatehouse/kubernetes/secret-ref';
import { CLAIM_NAME, CLAIM_TYPES, type ClaimMapping, STANDARD_CLAIMS } from '@gatehouse/policy/claims';
import { toComparisonKey } from '../validation/names.ts';
import { gatewayList } from './gateway-settings.ts';
import { readKeyFolder } from '@gatehouse/envelope/key-folder';
import { KeyRingError, parseKeyRing } from '@gatehouse/envelope/key-ring';
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

/** A time in whole seconds. */
const seconds = (least: number, most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,8}$/, 'must be a number of seconds')
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .default(fallback);

/** What the text leads to; each problem with the keys is an issue. */
const ofKeys = <T>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof KeyRingError)) throw error;
      for (const message of error.problems) context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });

/** A folder with keys in it; it is read again whenever it changes. */
const keyFolder = (folder: string) => {
  readKeyFolder(folder);
  return folder;
};

/** A part of a path of the Kubernetes API. */
const kubernetesName = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'must be a name of Kubernetes');

/** A custom resource whose objects are MCP servers. */
const discoveryResource = z.strictObject({
  group: kubernetesName,
  versions: z.tuple([kubernetesName], kubernetesName),
  plural: kubernetesName,
});

/** A custom resource of DISCOVERY_RESOURCES. */
export type DiscoveryResource = z.output<typeof discoveryResource>;

/** Ours, and those of the common operators; where two versions are served, the newer one first. */
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

const withoutRepeats = <T>(keyOf: (item: T) => string, message: string) =>
  [(items: T[]) => new Set(items.map(keyOf)).size === items.length, message] as const;

const MAX_CLAIMS = 100;

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
  GATEWAYS: json(gatewayList)
    .default([])
    .describe(
      'JSON list of the gateways: `id`, `display_name`, `kind` (`connector`, `ai` or `management`), `client_ids` (list of `issuer`, `client_id`: whose tokens act for it), for `ai` optional `secrets` (ids that it may reveal), optional `retired: true` (it may report usage and nothing else); calls for any other id are 404',
    ),
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
            (user: SeedUser) => JSON.stringify([user.issuer, toComparisonKey(user.user_name)]),
            'gives one user_name to two people of an issuer',
          ),
        ),
    ),
  )
    .optional()
    .describe(
      'JSON list of people for the directory: `issuer`, `subject`, `user_name`, `email`, `display_name`; they are added or renamed at start, never removed',
    ),
  AUDIT_RETENTION_DAYS: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number of days')
    .transform(Number)
    .pipe(z.number().min(30))
    .default(400)
    .describe('Days after which a month of the audit trail is dropped whole; at least 30'),
  USAGE_RETENTION_DAYS: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number of days')
    .transform(Number)
    .pipe(z.number().min(30))
    .default(400)
    .describe('Days after which a month of usage events and charges is dropped whole; at least 30. Daily sums stay'),
  TOOL_CALL_RETENTION_DAYS: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number of days')
    .transform(Number)
    .pipe(z.number().min(30))
    .default(400)
    .describe('Days after which the chains of a month of tool calls are dropped whole; at least 30. Sums stay'),
  REQUIRE_BUDGET: flag(false).describe(
    'Refuse requests of people for whom no budget exists; otherwise they are admitted without a limit',
  ),
  RESERVATION_SECONDS: seconds(60, 86_400, 900).describe(
    'How long the reservation of an admitted request holds its amount, unless it is extended',
  ),
  SPEND_EXPORT_ENABLED: flag(false).describe('Answer `GET /v1/budgets/spend/export`; otherwise it is 404'),
  ALLOW_LOOPBACK_UPSTREAMS: flag(false).describe('Let connectors point at this machine (one-machine installations)'),
  POLICY_CLAIMS: json(
    z
      .record(z.string().regex(CLAIM_NAME, 'must be letters, digits and _'), z.enum(CLAIM_TYPES))
      .refine((claims) => Object.keys(claims).length <= MAX_CLAIMS, `names more than ${MAX_CLAIMS} claims`),
  )
    .default({})
    .describe(
      'JSON object of token claims that policies can speak about as `principal.claim_<name>`, beside the standard ones: name -> `String`, `Long`, `Bool` or `Set<String>`',
    ),
  CLIENT_ID: z.string().min(1).default('gatehouse-cli').describe('Public OpenID client named to clients that sign in'),
  CONFIG_LIFETIME_SECONDS: seconds(600, 30 * 86_400, 86_400).describe(
    'How long a signed configuration may be used; a fresh one is sent from half of it on',
  ),
  CONFIG_REFRESH_SECONDS: seconds(10, 86_400, 300).describe(
    'How often clients ask for their configuration; at most a quarter of its lifetime',
  ),
  KEY_ENCRYPTION_KEYS: secret(ofKeys(parseKeyRing))
    .optional()
    .describe(
      'Keys that wrap the keys of stored secrets, 32 random bytes each: lines of `<version>:<base64>`, or a JSON list of `version`, `key`; the highest version seals; without one secrets answer 503',
    ),
  KEY_ENCRYPTION_KEYS_DIR: ofKeys(keyFolder)
    .optional()
    .describe(
      'Instead: a folder with one file for each key, named by its version, such as a mounted Kubernetes Secret; followed without a restart',
    ),
  DISCOVERY_ENABLED: flag(true).describe('Look for MCP servers in the cluster'),
  DISCOVERY_KUBERNETES_URL: httpUrl()
    .optional()
    .describe(
      'Kubernetes API of the cluster whose MCP servers are offered; default: that of the cluster in which the service runs, without one none are offered',
    ),
  DISCOVERY_TOKEN_PATH: z
    .string()
    .min(1)
    .optional()
    .describe('File with the bearer token for it, read for every request; default in a cluster: that of the pod'),
  DISCOVERY_CA_PATH: z
    .string()
    .min(1)
    .optional()
    .describe('File with the authority of its certificate; default in a cluster: that of the pod'),
  DISCOVERY_RESOURCES: json(z.array(discoveryResource))
    .default(DISCOVERY_RESOURCES)
    .describe(
      'JSON list of the custom resources that are MCP servers: `group`, `versions` (the first that is served), `plural`; annotated Services are looked at besides',
    ),
  DISCOVERY_NAMESPACES: json(z.array(kubernetesName))
    .default([])
    .describe('JSON list of the namespaces that are looked at; default: all of the cluster'),
  DISCOVERY_STALE_SECONDS: seconds(1, 86_400, 60).describe(
    'How long the last known servers are offered while the cluster does not answer; then 503',
  ),
  KUBERNETES_SECRETS_NAMESPACES: json(z.array(kubernetesNamespace()))
    .default([])
    .describe(
      'JSON list of the namespaces whose Secrets connectors may refer to (`kubernetes_secret`); the gateways have the same setting and read them. Without one such references are refused',
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
  if (settings.KEY_ENCRYPTION_KEYS !== undefined && settings.KEY_ENCRYPTION_KEYS_DIR !== undefined)
    throw new ConfigError(['KEY_ENCRYPTION_KEYS_DIR: set KEY_ENCRYPTION_KEYS or KEY_ENCRYPTION_KEYS_DIR, not both']);
  if (settings.CONFIG_REFRESH_SECONDS * 4 > settings.CONFIG_LIFETIME_SECONDS)
    throw new ConfigError(['CONFIG_REFRESH_SECONDS: must be at most a quarter of CONFIG_LIFETIME_SECONDS']);
  const issuers = new Set(settings.ISSUERS.map(({ issuer }) => issuer));
  const foreign = settings.GATEWAYS.flatMap(({ client_ids }, at) =>
    client_ids.flatMap(({ issuer }, place) =>
      issuers.has(issuer)
        ? []
        : [`GATEWAYS: [${at}].client_ids[${place}].issuer: is not the issuer of any entry of ISSUERS`],
    ),
  );
  if (foreign.length > 0) throw new ConfigError(foreign);
  return settings;
}

/** The claims that policies can speak about, with their types. */
export const policyClaims = ({ POLICY_CLAIMS }: Settings): ClaimMapping => ({ ...STANDARD_CLAIMS, ...POLICY_CLAIMS });

/** Where callers reach this service, without a slash at the end. */
export const publicUrl = ({ PUBLIC_URL, HOST, PORT }: Settings): string =>
  PUBLIC_URL ?? `http://${formatHost(HOST)}:${PORT}`;

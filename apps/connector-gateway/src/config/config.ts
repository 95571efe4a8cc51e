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
import { defineKeyEncryptionSettings, findKeyPlaceProblem } from '@gatehouse/key-encryption/key-encryption-settings';
import { CLAIM_NAME, CLAIM_TYPES } from '@gatehouse/policy/claims';
import { defineKubernetesNamespace } from '@gatehouse/kubernetes/secret-ref';
import { z } from 'zod';

const defineSeconds = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, 'must be a whole number of seconds')
    .transform(Number)
    .default(fallback);

/** A shorter lease would end between two long polls. */
const MIN_LEASE_SECONDS = 3;

const defineMilliseconds = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number of milliseconds')
    .transform(Number)
    .default(fallback);

const definePath = (meaning: string) => z.string().min(1).optional().describe(meaning);

const names = json(z.array(z.string().min(1)));

/** SIGN_IN_CLIENTS: the clients of this gateway at corporate providers. */
const signInClients = z.array(
  z.strictObject({
    issuer: z.string().min(1),
    client_id: z.string().min(1),
    client_secret: z.string().min(1).optional(),
    scope: z
      .string()
      .regex(/(?:^| )openid(?: |$)/, 'must contain openid')
      .default('openid profile email'),
  }),
);

/** The variables of this service, without the rules between them. */
const variables = z
  .object({
    ...serviceSettings,
    PORT: port(8081).describe('Port of the MCP endpoint; 0 lets the system choose'),
    CONTROL_PORT: port(8091).describe('Port of the control plane; 0 lets the system choose'),
    METRICS_PORT: port(9091).describe('Port of `/metrics` (Prometheus); 0 turns it off'),
    PUBLIC_URL: httpUrl()
      .optional()
      .describe('Address under which MCP clients reach the gateway; default `http://HOST:PORT`'),
    CONTROL_PUBLIC_URL: httpUrl()
      .optional()
      .describe('Address under which callers reach the control plane; default `http://HOST:CONTROL_PORT`'),
    PUBLISH_RESOURCE_METADATA: flag(true).describe(
      'The control plane answers `/.well-known/oauth-protected-resource` (RFC 9728) and names it to callers without a valid token; the MCP endpoint always does',
    ),
    CURSOR_KEY: secret(
      z
        .string()
        .min(32)
        .describe(
          'Key that authenticates what clients carry between two rounds of a request; the same on all replicas',
        ),
    ),
    DATABASE_URL: secret(z.url({ protocol: /^postgres(ql)?$/ }))
      .optional()
      .describe(
        'Postgres 15 or newer, with the role that reads and writes rows; without it, the service starts an embedded Postgres',
      ),
    DATABASE_OWNER_URL: secret(z.url({ protocol: /^postgres(ql)?$/ }))
      .optional()
      .describe('The same database with the role that owns the tables, for migrations; default `DATABASE_URL`'),
    GATEHOUSE_HOME: z.string().min(1).default('.gatehouse').describe('Folder of the embedded Postgres'),
    ...defineKeyEncryptionSettings(
      'Without a key no user can connect to an upstream; with the embedded Postgres the service creates a key in `GATEHOUSE_HOME`',
    ),
    MODE: z
      .enum(['directory', 'local'])
      .default('directory')
      .describe(
        '`directory`: connectors, policies and rights come from the enterprise manager. `local`: backends come from BACKENDS_FILE or BACKENDS, see docs/local-gateway.md',
      ),
    BACKENDS_FILE: definePath('Mode `local`: YAML file of the backends; a change is taken within 2 s'),
    BACKENDS: z
      .string()
      .min(1)
      .optional()
      .describe('Mode `local`: the content of such a file, instead of BACKENDS_FILE'),
    GROUPS_CLAIM: z
      .string()
      .min(1)
      .default('groups')
      .describe('Mode `local`: claim with the groups of a user: a name, or a dotted path into nested objects'),
    POLICY_CLAIMS: json(z.record(z.string().regex(CLAIM_NAME, 'must be letters, digits and _'), z.enum(CLAIM_TYPES)))
      .default({})
      .describe(
        'Mode `local`: JSON object of further token claims for policies (`principal.claim_<name>`), each name with its type: `String`, `Long`, `Bool` or `Set<String>`',
      ),
    GATEWAY_ID: z
      .string()
      .min(1)
      .optional()
      .describe('Required in mode `directory`: id under which the enterprise manager knows this gateway'),
    ENTERPRISE_MANAGER_URL: httpUrl()
      .optional()
      .describe('Required in mode `directory`: address of the enterprise manager'),
    TOKEN_URL: httpUrl()
      .optional()
      .describe(
        'Required in mode `directory`: token endpoint for the access token of the gateway itself (client credentials)',
      ),
    CLIENT_ID: z
      .string()
      .min(1)
      .optional()
      .describe('Required in mode `directory`: client of that token endpoint, with the role `gateway`'),
    CLIENT_SECRET: secret(z.string().min(1)).optional().describe('Required in mode `directory`: its secret'),
    TOKEN_PARAMETERS: json(z.record(z.string(), z.string()))
      .default({})
      .describe('JSON object of further form fields for the token endpoint, for example `audience` or `resource`'),
    SIGN_IN_CLIENTS: secret(json(signInClients))
      .optional()
      .describe(
        'JSON list of the clients with which users sign in in a browser, to connect to upstreams and for MCP clients without a token (see docs/connect-clients.md). Required: `issuer` (an `id` of ISSUERS), `client_id`. Optional: `client_secret`; `scope` (default `openid profile email`). The redirect URI of each client is `<origin of PUBLIC_URL>/oauth/sign-in/callback`. Without one, no user can connect, and the gateway has no authorization server for MCP clients',
      ),
    CLIENT_METADATA_DOCUMENTS: flag(true).describe(
      'Accept clients that name a metadata document as their client id, as Claude Code and Codex do (see docs/connect-clients.md). `false` where the gateway cannot fetch such documents from the internet: these clients then register themselves',
    ),
    AWS_ENDPOINT_URL_STS: httpUrl()
      .optional()
      .describe(
        'Address of AWS STS for connectors with `awsSts`, for example a VPC endpoint, which may be private; default: STS of the connector’s region',
      ),
    ALLOW_LOOPBACK_UPSTREAMS: flag(false).describe('Allow connectors on this machine (one-machine installations)'),
    ALLOWED_HOSTS: names
      .default([])
      .describe(
        'JSON list of further host names that requests may be addressed to, `*` for any; the one of PUBLIC_URL always may',
      ),
    ALLOWED_ORIGINS: names
      .default([])
      .describe('JSON list of further web origins whose pages may call the MCP endpoint'),
    CONNECTORS_RETIRED: flag(false).describe(
      'Answer 501 on the state routes of the control plane: clients use the enterprise manager',
    ),
    FEED_LEASE_SECONDS: defineSeconds(60)
      .refine((seconds) => seconds >= MIN_LEASE_SECONDS, `must be at least ${MIN_LEASE_SECONDS}`)
      .describe(
        'How long the gateway serves users after the last answer of the enterprise manager about changed rights; revoked rights stay in force at most this long. After it all users are refused until the next answer',
      ),
    DIRECTORY_GRACE_SECONDS: defineSeconds(300).describe(
      'How long known secrets of connectors are used while the enterprise manager cannot be reached',
    ),
    FAN_OUT_DEADLINE_MS: defineMilliseconds(5_000).describe(
      'Longest wait for the lists of all connectors together; late ones are left out',
    ),
    REPLICA_URL: httpUrl()
      .optional()
      .describe(
        'Address under which the other replicas reach this one, for example `http://<pod IP>:8101`. Without it a replica works alone: it serves no stream and no waiting call of another replica that lives',
      ),
    REPLICA_PORT: port(8101).describe(
      'Port for the other replicas, never published; opened only with REPLICA_URL. 0 lets the system choose',
    ),
    REPLICA_KEY: secret(
      z.string().min(32).describe('Key that authenticates requests between replicas; the same on all of them'),
    ).optional(),
    AUDIT_RETENTION_DAYS: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a whole number of days')
      .transform(Number)
      .pipe(z.number().min(30))
      .default(400)
      .describe('Days for which the gateway keeps an event of its audit trail; at least 30'),
    HEALTH_PROBE_SECONDS: z
      .string()
      .regex(/^\d{1,4}$/, 'must be a whole number of seconds')
      .transform(Number)
      .default(20)
      .describe(
        'Seconds between two health probes of the connectors’ servers, which carry no credential; 0 turns them off',
      ),
    CALL_TIMEOUT_MS: defineMilliseconds(60_000).describe('Longest wait for a tool without progress'),
    KUBERNETES_SECRETS_NAMESPACES: json(z.array(defineKubernetesNamespace()))
      .default([])
      .describe(
        'JSON list of the namespaces whose Secrets connectors may use; without one, no Secret is read. The gateway uses its own list, also if that of the enterprise manager differs',
      ),
    KUBERNETES_SECRETS_URL: httpUrl()
      .optional()
      .describe('Kubernetes API from which they are read; default: that of the cluster in which the service runs'),
    KUBERNETES_SECRETS_TOKEN_PATH: definePath(
      'File with the bearer token for that API, read for every request; by default the token of the pod',
    ),
    KUBERNETES_SECRETS_CA_PATH: definePath(
      'File with the certificate authority of that API; by default the file of the pod',
    ),
    KUBERNETES_SERVICE_HOST: z.string().min(1).optional().describe('Set by Kubernetes in every pod'),
    KUBERNETES_SERVICE_PORT: z.string().min(1).optional().describe('Set by Kubernetes in every pod'),
  })
  .superRefine(({ ISSUERS, SIGN_IN_CLIENTS }, context) => {
    for (const [at, { issuer }] of (SIGN_IN_CLIENTS ?? []).entries())
      if (!ISSUERS.some(({ id }) => id === issuer))
        context.addIssue({
          code: 'custom',
          path: ['SIGN_IN_CLIENTS', at, 'issuer'],
          message: 'must be the id of an entry of ISSUERS',
        });
  })
  .superRefine((value, context) => {
    const keyPlaceProblem = findKeyPlaceProblem(value);
    if (keyPlaceProblem !== undefined)
      context.addIssue({ code: 'custom', path: ['KEY_ENCRYPTION_KEYS_DIR'], message: keyPlaceProblem });
    const { REPLICA_URL, REPLICA_KEY } = value;
    if (REPLICA_URL !== undefined && REPLICA_KEY === undefined)
      context.addIssue({ code: 'custom', path: ['REPLICA_KEY'], message: 'is required with REPLICA_URL' });
  });

/** The variables that the mode `directory` requires and the mode `local` refuses. */
const DIRECTORY_VARIABLES = [
  'GATEWAY_ID',
  'ENTERPRISE_MANAGER_URL',
  'TOKEN_URL',
  'CLIENT_ID',
  'CLIENT_SECRET',
] as const;
const LOCAL_VARIABLES = ['BACKENDS_FILE', 'BACKENDS'] as const;

/** Every variable, with the rules of each mode, which are checked beside all other problems. */
export const settingsSchema = variables.superRefine(
  (value, context) => {
    const addProblem = (name: keyof typeof value, message: string) => {
      if (context.issues.some(({ path }) => path?.[0] === name)) return;
      context.addIssue({ code: 'custom', path: [name], message });
    };
    const { MODE, CONNECTORS_RETIRED } = value;
    const [required, refused] = MODE === 'local' ? [[], DIRECTORY_VARIABLES] : [DIRECTORY_VARIABLES, LOCAL_VARIABLES];
    for (const name of required) if (value[name] === undefined) addProblem(name, 'is required, unless MODE is local');
    for (const name of refused)
      if (value[name] !== undefined) addProblem(name, `does not belong to the mode ${MODE}; remove it, or change MODE`);
    if (MODE !== 'local') return;
    if (CONNECTORS_RETIRED)
      addProblem('CONNECTORS_RETIRED', 'does not belong to the mode local; remove it, or change MODE');
    if ((value.BACKENDS_FILE === undefined) === (value.BACKENDS === undefined))
      addProblem('BACKENDS_FILE', 'is required in the mode local; set either BACKENDS_FILE or BACKENDS');
  },
  { when: () => true },
);

/** The settings of a running service. */
export type Settings = z.output<typeof settingsSchema>;

/** The settings that the mode `directory` requires. */
export type DirectorySettings = {
  [Name in (typeof DIRECTORY_VARIABLES)[number]]: NonNullable<Settings[Name]>;
};

/** Injection token of the Settings. */
export const SETTINGS = Symbol('settings');

/** Reads the settings from the environment. @throws ConfigError with every problem */
export const loadSettings = (env: Readonly<Record<string, string | undefined>> = process.env): Settings =>
  loadConfig(settingsSchema, env);

/** The settings of the mode `directory`. @throws ConfigError in another mode */
export function getDirectorySettings(settings: Settings): DirectorySettings {
  const { GATEWAY_ID, ENTERPRISE_MANAGER_URL, TOKEN_URL, CLIENT_ID, CLIENT_SECRET } = settings;
  if (
    GATEWAY_ID === undefined ||
    ENTERPRISE_MANAGER_URL === undefined ||
    TOKEN_URL === undefined ||
    CLIENT_ID === undefined ||
    CLIENT_SECRET === undefined
  )
    throw new ConfigError(['MODE: is not directory']);
  return { GATEWAY_ID, ENTERPRISE_MANAGER_URL, TOKEN_URL, CLIENT_ID, CLIENT_SECRET };
}

/** The place of the backends in the mode `local`. @throws ConfigError in another mode */
export function getBackendsPlace({ BACKENDS_FILE, BACKENDS }: Settings): { path: string } | { text: string } {
  if (BACKENDS_FILE !== undefined) return { path: BACKENDS_FILE };
  if (BACKENDS !== undefined) return { text: BACKENDS };
  throw new ConfigError(['MODE: is not local']);
}

/** Reads a variable that a backend names for its secret. */
export const readVariable = (name: string): string | undefined => process.env[name];

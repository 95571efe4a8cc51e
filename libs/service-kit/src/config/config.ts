import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { formatIssue } from '../errors/sentences.ts';

/** Invalid configuration. The message has all problems, one on each line, without values. */
export class ConfigError extends GatehouseError {
  override readonly code = 'invalid_configuration';
  constructor(readonly problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

type SettingsSchema = z.ZodObject<Record<string, z.ZodType>>;

/** Marks a variable as secret: `<NAME>_FILE` may name its file, and its default is not shown. */
export const secret = <T extends z.ZodType>(schema: T): T => schema.meta({ ...schema.meta(), secret: true });

/** A TCP port; 0 lets the system choose. */
export const port = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .pipe(z.number().max(65_535))
    .default(fallback);

/** A switch: `true`, `false`, `1` or `0`. */
export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .transform((value) => value === 'true' || value === '1')
    .default(fallback);

/** A variable that holds JSON of the given shape. */
export const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** An absolute http or https URL without a trailing slash. */
export const httpUrl = () => z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

const roleValues = z.array(z.string().min(1));

/** The claim that links the tokens of an issuer to provisioned users. */
const binding = z.strictObject({
  claim: z.string().min(1).max(256),
  attribute: z.enum(['userName', 'externalId', 'emails']),
});

/** ISSUERS: the accepted issuers of access tokens and the meaning of their claims. */
export const issuers = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens'),
      issuer: z.url({ protocol: /^https?$/ }),
      jwks_uri: z.url({ protocol: /^https?$/ }).optional(),
      roles: z
        .strictObject({
          claim: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
          values: z.strictObject({
            admin: roleValues.optional(),
            auditor: roleValues.optional(),
            gateway: roleValues.optional(),
          }),
        })
        .optional(),
      access_token_type: z.enum(['at+jwt', 'any']).default('any'),
      binding: binding.default({ claim: 'sub', attribute: 'externalId' }),
      just_in_time: z.boolean().default(false),
    }),
  )
  .min(1)
  .superRefine((list, context) => {
    for (const key of ['id', 'issuer'] as const) {
      list.forEach((issuer, at) => {
        if (list.findIndex((other) => other[key] === issuer[key]) < at)
          context.addIssue({
            code: 'custom',
            path: [at, key],
            message: `must differ from the ${key} of earlier entries`,
          });
      });
    }
  });

/** One entry of ISSUERS. */
export type IssuerSettings = z.output<typeof issuers>[number];

/** The variables of every service, for `z.object({ ...serviceSettings, PORT: port(8080), … })`. */
export const serviceSettings = {
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  PORT: port(0).describe('Port to listen on; 0 lets the system choose'),
  METRICS_PORT: port(0).describe('Port of `/metrics` (Prometheus); 0 turns it off'),
  EVENT_LOOP_WARN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(250)
    .describe('Delay of the event loop in milliseconds beyond which a warning is logged; 0 turns the warnings off'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest severity that is logged: `debug`, `info`, `warn`, `error` or `silent`'),
  PUBLIC_URL: httpUrl()
    .optional()
    .describe('Address under which callers reach the service; default `http://HOST:PORT`'),
  PUBLISH_RESOURCE_METADATA: flag(true).describe(
    'Publish `/.well-known/oauth-protected-resource` (RFC 9728) and name it in the challenge of a 401',
  ),
  AUDIENCE: z
    .string()
    .min(1)
    .describe('Required `aud` of access tokens; the `resource` of the service’s own metadata is also accepted'),
  ISSUERS: json(issuers).describe(
    'JSON list of accepted token issuers. Required: `id`, `issuer`. Optional: `jwks_uri`; `roles` (`claim`, and `values` for `admin`, `auditor`, `gateway`); `access_token_type` (`at+jwt` refuses other types of token, see docs/access-tokens.md; default `any`); `binding` (the token `claim` with the value of the SCIM `attribute` `userName`, `externalId` or `emails`; default `sub`, `externalId`); `just_in_time` (`true`: the first sign-in creates a directory entry)',
  ),
  CURSOR_KEY: secret(z.string().min(32).describe('Key that authenticates page cursors; the same on all replicas')),
  REFERENCE_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Public OpenID client (authorization code with PKCE, redirect URI `PUBLIC_URL/api/doc`) for the sign-in on the reference page at the first issuer; without it, users paste a token there',
    ),
  REFERENCE_SCOPE: z.string().min(1).default('openid').describe('Scopes that the reference page requests'),
  ENVIRONMENT: z.string().min(1).default('local').describe('Name of the deployment in records and logs'),
  EXIT_WITH_PARENT: flag(false).describe('Shut down when the parent process ends'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl()
    .optional()
    .describe('OpenTelemetry collector for traces and metrics (OTLP over HTTP); without it, none are sent'),
};

type CommonSettings = z.output<z.ZodObject<typeof serviceSettings>>;

/** The variables that some services do not need. */
type OptionalSetting = 'AUDIENCE' | 'CURSOR_KEY' | 'ISSUERS';

/**
 * The common settings after loadConfig. A service without lists needs no CURSOR_KEY, and a service
 * with its own authentication (ServiceOptions) needs neither ISSUERS nor AUDIENCE.
 */
export type ServiceSettings = Omit<CommonSettings, OptionalSetting> & Partial<Pick<CommonSettings, OptionalSetting>>;

/**
 * Reads an app's settings. An empty variable counts as unset. A secret can be in the file that
 * `<NAME>_FILE` names; one trailing newline is removed.
 * @param env usually process.env, read in the app's config.ts
 * @throws ConfigError with all problems at once
 */
export function loadConfig<T extends SettingsSchema>(
  schema: T,
  env: Readonly<Record<string, string | undefined>>,
): z.output<T> {
  const problems: string[] = [];
  const raw: Record<string, string> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = readVariable(name, isSecret(field), env, problems);
    if (value !== undefined) raw[name] = value;
  }
  const result = schema.safeParse(raw);
  if (!result.success) {
    const failed = new Set(problems.map((problem) => problem.split(':', 1)[0]));
    problems.push(...result.error.issues.map(formatIssue).filter((sentence) => !failed.has(sentence.split(':', 1)[0])));
  }
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  return result.data;
}

function readVariable(
  name: string,
  mayBeFile: boolean,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string | undefined {
  const value = env[name] === '' ? undefined : env[name];
  const file = mayBeFile && env[`${name}_FILE`] !== '' ? env[`${name}_FILE`] : undefined;
  if (file === undefined) return value;
  if (value !== undefined) {
    problems.push(`${name}: set ${name} or ${name}_FILE, not both`);
    return undefined;
  }
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (text !== '') return text;
    problems.push(`${name}: the file that ${name}_FILE names is empty`);
    return undefined;
  } catch (error) {
    const { code } = error as { code?: unknown };
    const reason = typeof code === 'string' ? code : 'unreadable';
    problems.push(`${name}: the file that ${name}_FILE names cannot be read (${reason})`);
    return undefined;
  }
}

/** Renders the variables of a schema as a Markdown table. */
export function renderSettings(schema: SettingsSchema): string {
  const rows = Object.entries(schema.shape).map(([name, field]) => {
    const shown = isSecret(field) ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``;
    return `| ${shown} | ${(readFieldMeta(field).description ?? '').replaceAll('|', '\\|')} | ${formatDefault(field)} |`;
  });
  return ['| Variable | Meaning | Default |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

function formatDefault(field: z.ZodType): string {
  if (field instanceof z.ZodDefault) {
    return isSecret(field)
      ? 'set'
      : `\`${typeof field.def.defaultValue === 'string' ? field.def.defaultValue : JSON.stringify(field.def.defaultValue)}\``;
  }
  return field.safeParse(undefined).success ? '' : 'required';
}

interface FieldMeta {
  description?: string | undefined;
  secret?: boolean;
}

/** The metadata of a schema and of the schema inside it (default, optional, pipe). */
function readFieldMeta(field: z.ZodType): FieldMeta {
  const own: FieldMeta = field.meta() ?? {};
  const inner =
    field instanceof z.ZodDefault || field instanceof z.ZodOptional
      ? field.def.innerType
      : field instanceof z.ZodPipe
        ? field.def.out
        : undefined;
  return inner instanceof z.ZodType ? { ...readFieldMeta(inner), ...own } : own;
}

const isSecret = (field: z.ZodType): boolean => readFieldMeta(field).secret === true;

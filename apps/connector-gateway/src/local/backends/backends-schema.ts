import { findHeaderNameProblem } from '@gatehouse/egress/credential-header';
import { z } from 'zod';
import { contentControls, reportPatternFaults } from './content-schema.ts';

/** Most characters of a name: the names of tools, which begin with it, have at most 64. */
const MAX_NAME = 24;
/** The first request of a user needs about 0.5 ms for each backend. */
const MAX_BACKENDS = 2_000;
const MAX_RATE = 1_000_000;
const MAX_COUNT = 100_000;
/** 1 GiB, more than any message that the gateway accepts. */
const MAX_BYTES = 1_073_741_824;

/** The names of backends, which are the ids of connectors in local mode. */
export const BACKEND_NAME = /^[a-z0-9](?:[a-z0-9-]{0,22}[a-z0-9])?$/;

/** The sentence of an invalid name. */
export const BACKEND_NAME_RULE = `must be 1 to ${MAX_NAME} characters of a-z, 0-9 and inner hyphens`;

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');
const path = z.string().min(1).max(4_096);
const limit = (maximum: number) => z.int().min(1).max(maximum).nullable().optional();

const requireOne = (first: string, second: string) => `needs either ${first} or ${second}`;

/** The sign-in of each user at the provider of a backend. */
const signIn = z
  .strictObject({
    type: z.literal('sign_in'),
    issuer: z.string().min(1).max(2_048),
    /** Without it, the gateway registers itself. */
    client_id: z.string().min(1).max(1_024).optional(),
    client_secret_env: variable.optional(),
    client_secret_file: path.optional(),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope (RFC 6749)'))
      .max(100)
      .optional(),
    allow_private_ips: z.boolean().default(false),
  })
  .refine(
    ({ client_secret_env, client_secret_file }) => client_secret_env === undefined || client_secret_file === undefined,
    'needs client_secret_env or client_secret_file, not both',
  )
  .refine(
    ({ client_id, client_secret_env, client_secret_file }) =>
      client_id !== undefined || (client_secret_env ?? client_secret_file) === undefined,
    'needs client_id for the client secret',
  );

const TYPES_RULE =
  'must be none, bearer, header or sign_in; a type that exchanges the token of the user needs an enterprise manager (MODE=directory)';

const AUTH_TYPES = [
  z.strictObject({ type: z.literal('none') }),
  z
    .strictObject({ type: z.literal('bearer'), token_env: variable.optional(), token_file: path.optional() })
    .refine(
      ({ token_env, token_file }) => (token_env === undefined) !== (token_file === undefined),
      requireOne('token_env', 'token_file'),
    ),
  z
    .strictObject({
      type: z.literal('header'),
      header: z.string().superRefine((name, context) => {
        const problem = findHeaderNameProblem(name);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      }),
      value_env: variable.optional(),
      value_file: path.optional(),
    })
    .refine(
      ({ value_env, value_file }) => (value_env === undefined) !== (value_file === undefined),
      requireOne('value_env', 'value_file'),
    ),
  signIn,
] as const;

const auth = z.discriminatedUnion('type', AUTH_TYPES, TYPES_RULE);

const limits = z.strictObject({
  calls_per_minute_per_person: limit(MAX_RATE),
  calls_per_minute_per_tool: limit(MAX_RATE),
  concurrent_calls_per_connector: limit(MAX_COUNT),
  sessions_per_person: limit(MAX_COUNT),
  max_argument_bytes: limit(MAX_BYTES),
  max_result_bytes: limit(MAX_BYTES),
});

/** An MCP server of the gateway. */
const backend = z.strictObject({
  name: z.string().regex(BACKEND_NAME, BACKEND_NAME_RULE),
  description: z.string().max(2_048).optional(),
  url: z.string().min(1).max(2_048),
  transport: z.enum(['streamable-http', 'sse']).default('streamable-http'),
  auth: auth.default({ type: 'none' }),
  allow_private_ips: z.boolean().default(false),
  policy: z.string().optional(),
  limits: limits.optional(),
  ...contentControls,
});
export type Backend = z.output<typeof backend>;

/** The content of a backends file. docs/local-gateway.md describes the fields. */
export const backendsSchema = z
  .strictObject({ backends: z.array(backend).max(MAX_BACKENDS), limits: limits.optional(), ...contentControls })
  .superRefine(({ backends, redaction_patterns }, context) => {
    const lists = backends.map((own, at) => ({ path: ['backends', at], patterns: own.redaction_patterns }));
    reportPatternFaults([{ path: [], patterns: redaction_patterns }, ...lists], context);
    const names = new Set<string>();
    for (const [at, { name }] of backends.entries()) {
      if (names.has(name))
        context.addIssue({
          code: 'custom',
          path: ['backends', at, 'name'],
          message: 'must differ from the names of earlier backends',
        });
      names.add(name);
    }
  });
export type Backends = z.output<typeof backendsSchema>;

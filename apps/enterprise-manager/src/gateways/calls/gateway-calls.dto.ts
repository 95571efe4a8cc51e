import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';
import { createUncheckedSchema } from '@gatehouse/service-kit/openapi-schemas';
import { SnapshotIdentityProvider } from '../../access/identity-providers/snapshot-provider.ts';
import { ConnectorGatewaySettings } from '../connector-gateway-settings/connector-gateway-settings.dto.ts';
import { KubernetesSecretRef } from '../../secrets/references/secret-ref.dto.ts';
import { ToolCallRecord } from '../../tool-calls/records/tool-call-record.ts';

/** Maximum number of records in a batch. */
export const MAX_CALLS = 1_000;

/** Maximum wait of a long poll, in seconds. */
const MAX_WAIT_SECONDS = 30;

const SnapshotConnector = z
  .object({
    id: z.guid(),
    slug: z.string(),
    name: z.string(),
    description: z.string().optional(),
    endpoint: z.string(),
    transport: z.enum(['streamable-http', 'sse']),
    auth: z
      .looseObject({
        type: z.string(),
        header_injection: z.object({ header_name: z.string() }).optional(),
        secrets: z
          .record(
            z.string(),
            z.object({ id: z.guid(), version: z.int().min(1) }).meta({
              id: 'SecretVersion',
              description: 'A managed secret for the gateway to reveal; each new value is a new version',
            }),
          )
          .optional()
          .describe('Managed secrets by their field in `auth`, for example `bearer_token.token`'),
        kubernetes_secrets: z
          .record(z.string(), KubernetesSecretRef)
          .optional()
          .describe('Kubernetes secrets that the gateway reads in its cluster, by their field in `auth`'),
      })
      .describe('The type and its settings, as in `ConnectorAuth`, without secret values'),
    allow_private_ips: z.boolean(),
    identity_provider: SnapshotIdentityProvider.optional().describe('The identity provider that `auth` names'),
  })
  .meta({ id: 'SnapshotConnector', description: 'An available connector' });

const SnapshotPolicy = z
  .object({ connector_id: z.guid(), version: z.number().int(), document: z.string().describe('Cedar text') })
  .meta({ id: 'SnapshotPolicy', description: 'The policy that decides which users may use a connector' });

/** The connectors, policies and settings of a gateway that apply to all users. */
export const GatewaySnapshot = z
  .object({
    gateway_id: z.string(),
    connectors: z.array(SnapshotConnector),
    policies: z
      .array(SnapshotPolicy)
      .describe('One policy for each connector; no user may use a connector without a policy'),
    claim_mapping: z
      .record(z.string(), z.enum(['String', 'Long', 'Bool', 'Set<String>']))
      .describe('The claims of tokens that policies can use, with their types'),
    binding_claims: z
      .record(z.string(), z.string())
      .describe(
        'By issuer: the claim that binds a token to a provisioned entry. Issuers that bind by the subject are absent',
      ),
    limits: z
      .object({ batch_calls: z.number().int().describe('Maximum number of tool-call records in a batch') })
      .describe('The limits of requests of a gateway'),
    settings: ConnectorGatewaySettings,
  })
  .meta({ id: 'GatewaySnapshot', description: 'Connectors and policies of a gateway' });
export type GatewaySnapshot = z.infer<typeof GatewaySnapshot>;

/** Query of the snapshot. */
export const SnapshotQuery = z.strictObject({
  wait: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number of seconds')
    .transform((text) => Math.min(Number(text), MAX_WAIT_SECONDS))
    .default(0)
    .meta({
      description: 'With If-None-Match: maximum wait for a change in seconds before the response is 304; at most 30',
      override: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
    }),
});
export type SnapshotQuery = z.infer<typeof SnapshotQuery>;

const connectionVersion = () =>
  z.int().min(0).describe('Increases with each change of the connection, also when it is deleted and created again');

const EntitledConnection = z
  .object({
    connector_id: z.guid(),
    enabled: z.boolean(),
    tools_enabled_by_default: z.boolean(),
    tools_exception_list: z.array(z.string()),
    updated_at: z.iso.datetime().describe('Time of the last change'),
    version: connectionVersion(),
  })
  .meta({ id: 'EntitledConnection', description: 'The user’s settings of a connector' });

/** The groups and connections of a user at a gateway. */
export const Entitlements = z
  .object({
    user_id: z.guid(),
    issuer: z.string(),
    subject: z.string().optional().describe('Absent until the first sign-in of a provisioned user'),
    active: z.boolean(),
    groups: z.array(z.string()).describe('Ids of all groups of the user, direct and through subgroups'),
    connections: z.array(EntitledConnection),
    cleared_connections: z
      .array(z.object({ connector_id: z.guid(), version: connectionVersion() }).meta({ id: 'ClearedConnection' }))
      .describe('Connections that the user deleted; the default applies to these connectors'),
    version: z.string().describe('Changes with each other field'),
  })
  .meta({ id: 'Entitlements', description: 'The groups and connections of a user at a gateway' });
export type Entitlements = z.infer<typeof Entitlements>;

/** The path of a user at a gateway. */
export const EntitlementsPath = z.strictObject({ gateway_id: z.string(), user_id: uuid() });
export type EntitlementsPath = z.infer<typeof EntitlementsPath>;

/** The user that a token identifies. */
export const PersonQuery = z.strictObject({
  issuer: line(2_048),
  subject: line(1_024),
  binding: line(1_024)
    .optional()
    .describe(
      'The value of the issuer’s `binding_claims` claim in the verified token. A provisioned entry without a subject takes over this subject',
    ),
});
export type PersonQuery = z.infer<typeof PersonQuery>;

/** The path of a user's connection. */
export const GatewayConnectionPath = z.strictObject({ gateway_id: z.string(), user_id: uuid(), connector_id: uuid() });
export type GatewayConnectionPath = z.infer<typeof GatewayConnectionPath>;

/** A batch of records. Each record is validated separately, so an invalid one affects no other. */
export const ToolCallBatch = z
  .strictObject({
    calls: z
      .array(createUncheckedSchema(ToolCallRecord))
      .max(MAX_CALLS)
      .describe('Invalid records are rejected separately, without an effect on other records'),
  })
  .meta({ id: 'ToolCallBatch', description: 'Records of tool calls' });
export type ToolCallBatch = z.infer<typeof ToolCallBatch>;

/** The results of a batch, in the order of its records. */
export const ToolCallReceipts = z
  .object({
    results: z.array(
      z
        .object({
          status: z.enum(['stored', 'duplicate', 'rejected']),
          error: z
            .string()
            .optional()
            .describe('The reason of a rejection, or the note that a duplicate differs from the stored record'),
        })
        .meta({ id: 'ToolCallReceipt' }),
    ),
  })
  .meta({ id: 'ToolCallReceipts', description: 'One result for each record' });
export type ToolCallReceipts = z.infer<typeof ToolCallReceipts>;

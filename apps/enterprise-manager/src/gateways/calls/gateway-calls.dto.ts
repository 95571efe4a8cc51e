import { z } from 'zod';
import { line, uuid } from '../../validation/text.ts';
import { judgedLater } from '@gatehouse/service-kit/openapi-schemas';
import { SnapshotIdentityProvider } from '../../access/identity-providers/snapshot-provider.ts';
import { KubernetesSecretRef } from '../../secrets/references/secret-ref.dto.ts';
import { ToolCallRecord } from '../../tool-calls/records/tool-call-record.ts';

/** Most records in one batch. */
export const MAX_CALLS = 1_000;

/** Longest wait of a long poll in seconds. */
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
            z
              .object({ id: z.guid(), version: z.int().min(1) })
              .meta({ id: 'SecretVersion', description: 'A secret to be revealed; a new value is a new version' }),
          )
          .optional()
          .describe('By their place in the authentication, for example `bearer_token.token`'),
        kubernetes_secrets: z
          .record(z.string(), KubernetesSecretRef)
          .optional()
          .describe('Likewise those that the gateway reads in its cluster'),
      })
      .describe('Of the block that belongs to the type, what `ConnectorAuth` has; never a secret value'),
    allow_private_ips: z.boolean(),
    identity_provider: SnapshotIdentityProvider.optional().describe('The one that `auth` names'),
  })
  .meta({ id: 'SnapshotConnector', description: 'An available connector' });

const SnapshotPolicy = z
  .object({ connector_id: z.guid(), version: z.number().int(), document: z.string().describe('Cedar text') })
  .meta({ id: 'SnapshotPolicy', description: 'Who may use a connector' });

/** Everything of a gateway that is not about one person. */
export const GatewaySnapshot = z
  .object({
    gateway_id: z.string(),
    connectors: z.array(SnapshotConnector),
    policies: z
      .array(SnapshotPolicy)
      .describe('One for each connector; a connector without one is closed to everybody'),
    claim_mapping: z
      .record(z.string(), z.enum(['String', 'Long', 'Bool', 'Set<String>']))
      .describe('Claims of tokens that policies may speak about, with their types'),
    binding_claims: z
      .record(z.string(), z.string())
      .describe(
        'By issuer: the claim that tells which provisioned person a token speaks of; issuers where that is the subject are left out',
      ),
    limits: z
      .object({ batch_calls: z.number().int().describe('Most tool-call records in one batch') })
      .describe('What this service takes from a gateway'),
  })
  .meta({ id: 'GatewaySnapshot', description: 'Connectors and policies of a gateway' });
export type GatewaySnapshot = z.infer<typeof GatewaySnapshot>;

/** What the snapshot takes. */
export const SnapshotQuery = z.strictObject({
  wait: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number of seconds')
    .transform((text) => Math.min(Number(text), MAX_WAIT_SECONDS))
    .default(0)
    .meta({
      description: 'With If-None-Match: how many seconds to wait for a change before the answer is 304; at most 30',
      override: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
    }),
});
export type SnapshotQuery = z.infer<typeof SnapshotQuery>;

const connectionVersion = () =>
  z.int().min(0).describe('Grows with every change of the connection, also when it is deleted and made again');

const EntitledConnection = z
  .object({
    connector_id: z.guid(),
    enabled: z.boolean(),
    tools_enabled_by_default: z.boolean(),
    tools_exception_list: z.array(z.string()),
    updated_at: z.iso.datetime().describe('When the person last changed it'),
    version: connectionVersion(),
  })
  .meta({ id: 'EntitledConnection', description: 'What the person has set for a connector' });

/** What the directory says about one person at one gateway. */
export const Entitlements = z
  .object({
    user_id: z.guid(),
    issuer: z.string(),
    subject: z.string().optional().describe('Absent until a provisioned person signs in for the first time'),
    active: z.boolean(),
    groups: z.array(z.string()).describe('Ids of all groups that hold the person, directly or through subgroups'),
    connections: z.array(EntitledConnection),
    cleared_connections: z
      .array(z.object({ connector_id: z.guid(), version: connectionVersion() }).meta({ id: 'ClearedConnection' }))
      .describe('Connections that the person had and deleted: the default holds for these connectors'),
    version: z.string().describe('Changes with everything else in here'),
  })
  .meta({ id: 'Entitlements', description: 'A person at a gateway' });
export type Entitlements = z.infer<typeof Entitlements>;

/** The path of a person at a gateway. */
export const EntitlementsPath = z.strictObject({ gateway_id: z.string(), user_id: uuid() });
export type EntitlementsPath = z.infer<typeof EntitlementsPath>;

/** The person that a token speaks of. */
export const PersonQuery = z.strictObject({
  issuer: line(2_048),
  subject: line(1_024),
  binding: line(1_024)
    .optional()
    .describe(
      'What the verified token says in the issuer’s claim of `binding_claims`; a provisioned person to whom nobody has signed in yet is then this subject from now on',
    ),
});
export type PersonQuery = z.infer<typeof PersonQuery>;

/** The path of a person's connection. */
export const GatewayConnectionPath = z.strictObject({ gateway_id: z.string(), user_id: uuid(), connector_id: uuid() });
export type GatewayConnectionPath = z.infer<typeof GatewayConnectionPath>;

/**
 * A batch of records. Its items are read one by one, so that a bad one does not hurt the others.
 */
export const ToolCallBatch = z
  .strictObject({
    calls: z
      .array(judgedLater(ToolCallRecord))
      .max(MAX_CALLS)
      .describe('An item that has not the form of a record is rejected alone'),
  })
  .meta({ id: 'ToolCallBatch', description: 'Records of tool calls' });
export type ToolCallBatch = z.infer<typeof ToolCallBatch>;

/** What became of each record, in the order sent. */
export const ToolCallReceipts = z
  .object({
    results: z.array(
      z
        .object({
          status: z.enum(['stored', 'duplicate', 'rejected']),
          error: z
            .string()
            .optional()
            .describe('Why a record was rejected, or that a duplicate says something else than the stored one'),
        })
        .meta({ id: 'ToolCallReceipt' }),
    ),
  })
  .meta({ id: 'ToolCallReceipts', description: 'One result for each record' });
export type ToolCallReceipts = z.infer<typeof ToolCallReceipts>;

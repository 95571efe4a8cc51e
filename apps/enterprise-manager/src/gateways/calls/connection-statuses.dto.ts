import { createUncheckedSchema } from '@gatehouse/service-kit/openapi-schemas';
import { z } from 'zod';
import { line, time } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';

/** Maximum number of observations in a batch. */
export const MAX_STATUSES = 1_000;
const MAX_TOOLS = 5_000;

/** The connection status of a user at an upstream, as a gateway observed it. */
export const ObservedStatus = z
  .strictObject({
    user_id: uuid(),
    connector_id: uuid(),
    connection_status: z.enum(['ready', 'needs_auth', 'connected']),
    tools: z
      .array(line(256))
      .max(MAX_TOOLS)
      .optional()
      .describe('Names of all tools that the upstream listed for this user; absent if the gateway did not list them'),
    observed_at: time(),
  })
  .meta({
    id: 'ObservedConnectionStatus',
    description: 'The connection status of a user at an upstream, as a gateway observed it',
  });
export type ObservedStatus = z.infer<typeof ObservedStatus>;

/** A batch of observations. Each is validated separately, so an invalid one affects no other. */
export const ConnectionStatusBatch = z
  .strictObject({
    statuses: z
      .array(createUncheckedSchema(ObservedStatus))
      .max(MAX_STATUSES)
      .describe('Invalid observations are rejected separately, without an effect on other observations'),
  })
  .meta({ id: 'ConnectionStatusBatch', description: 'Connection statuses that a gateway observed' });
export type ConnectionStatusBatch = z.infer<typeof ConnectionStatusBatch>;

const ConnectionStatusReceipt = z
  .object({
    status: z.enum(['stored', 'stale', 'rejected']).describe('`stale`: a newer observation is stored'),
    error: z.string().optional(),
  })
  .meta({ id: 'ConnectionStatusReceipt' });
export type ConnectionStatusReceipt = z.infer<typeof ConnectionStatusReceipt>;

/** The results of a batch, in the order of its observations. */
export const ConnectionStatusReceipts = z
  .object({ results: z.array(ConnectionStatusReceipt) })
  .meta({ id: 'ConnectionStatusReceipts', description: 'One result for each observation' });
export type ConnectionStatusReceipts = z.infer<typeof ConnectionStatusReceipts>;

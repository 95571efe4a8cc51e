import { judgedLater } from '@gatehouse/service-kit/openapi-schemas';
import { z } from 'zod';
import { line, time, uuid } from '../../validation/text.ts';

/** Most observations in one batch. */
export const MAX_STATUSES = 1_000;
const MAX_TOOLS = 5_000;

/** What a gateway saw of one person at one upstream. */
export const ObservedStatus = z
  .strictObject({
    user_id: uuid(),
    connector_id: uuid(),
    connection_status: z.enum(['ready', 'needs_auth', 'connected']),
    tools: z
      .array(line(256))
      .max(MAX_TOOLS)
      .optional()
      .describe('Names of all tools that the upstream listed for this person; left out where they were not looked at'),
    observed_at: time(),
  })
  .meta({ id: 'ObservedConnectionStatus', description: 'A person at an upstream, as a gateway saw it' });
export type ObservedStatus = z.infer<typeof ObservedStatus>;

/** A batch of observations, read one by one. */
export const ConnectionStatusBatch = z
  .strictObject({
    statuses: z
      .array(judgedLater(ObservedStatus))
      .max(MAX_STATUSES)
      .describe('An item that has not the form of an observation is rejected alone'),
  })
  .meta({ id: 'ConnectionStatusBatch', description: 'What a gateway saw of people at upstreams' });
export type ConnectionStatusBatch = z.infer<typeof ConnectionStatusBatch>;

const ConnectionStatusReceipt = z
  .object({
    status: z.enum(['stored', 'stale', 'rejected']).describe('`stale`: something newer is known already'),
    error: z.string().optional(),
  })
  .meta({ id: 'ConnectionStatusReceipt' });
export type ConnectionStatusReceipt = z.infer<typeof ConnectionStatusReceipt>;

/** What became of each observation, in the order sent. */
export const ConnectionStatusReceipts = z
  .object({ results: z.array(ConnectionStatusReceipt) })
  .meta({ id: 'ConnectionStatusReceipts', description: 'One result for each observation' });
export type ConnectionStatusReceipts = z.infer<typeof ConnectionStatusReceipts>;

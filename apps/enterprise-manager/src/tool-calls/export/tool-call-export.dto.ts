import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { callFilters, optionalRange } from '../records/call-filters.ts';
import { ToolCall } from '../records/tool-call.dto.ts';

const count = () => z.number().int();

/** Query of the export. */
export const ExportQuery = z.strictObject({
  ...callFilters,
  ...optionalRange,
  cursor: cursorParameter('From `next_cursor` or `resume_cursor`; empty for the first page'),
  limit: limitParameter(50, 500),
});
export type ExportQuery = z.infer<typeof ExportQuery>;

const signedBy = () => ({
  hash_alg: z.string(),
  sig_alg: z.string(),
  key_id: z.string().describe('`kid` in the key set of this service'),
  signature: z.string().describe('In the form of the signature of a checkpoint'),
});

const ChainHead = z
  .object({
    statement: z.literal('head'),
    chain_id: z.string(),
    sequence: count().describe('Sequence number of the last record; 0 without records'),
    chain_hash: z.string().describe('`record_hash` of the record at `sequence`'),
    signed_at: z.iso
      .datetime()
      .describe('Each record that was acknowledged before this time is on this page or an earlier one'),
    ...signedBy(),
  })
  .meta({ id: 'ChainHead', description: 'A signed statement of the last record of a gateway at a time' });

const ChainStart = z
  .object({
    statement: z.literal('chain_start'),
    chain_id: z.string().describe('The chain that begins on this page'),
    previous_chain_id: z.string().describe('The previous chain; empty if no earlier record is stored'),
    previous_sequence: count().describe('Sequence number of the last record of the previous chain'),
    previous_hash: z.string().describe('`record_hash` of that record'),
    signed_at: z.iso.datetime(),
    ...signedBy(),
  })
  .meta({ id: 'ChainStart', description: 'A signed statement of the record after which a chain begins' });

/** A page of the export. */
export const UsageExport = z
  .object({
    records: z.array(
      z
        .object({
          id: z.guid().describe('The call_id of the record'),
          chain_id: z.string().describe('`<gateway_id>:<yyyy-mm>`, the UTC month in which the record arrived'),
          sequence: count().describe('Sequence number in the chain, from 1'),
          prev_hash: z.string().describe('`record_hash` of the previous record; empty for the first record'),
          record_hash: z
            .string()
            .describe('Hexadecimal SHA-256 over the RFC 8785 form of {chain_id, sequence, prev_hash, usage}'),
          usage: ToolCall,
        })
        .meta({ id: 'ExportedToolCall', description: 'A record with its position in a hash chain' }),
    ),
    checkpoints: z
      .array(
        z
          .object({
            chain_id: z.string(),
            sequence: count(),
            chain_hash: z.string().describe('`record_hash` of the record at `sequence`'),
            hash_alg: z.string(),
            sig_alg: z.string(),
            key_id: z.string().describe('`kid` in the key set of this service'),
            signed_at: z.iso.datetime(),
            signature: z
              .string()
              .describe(
                'ES256 (RFC 7518 §3.4), base64url, over the RFC 8785 form of the checkpoint without `signature`',
              ),
          })
          .meta({ id: 'IntegrityCheckpoint', description: 'A signed statement of a position in a chain' }),
      )
      .describe(
        'Checkpoints of records on this page, always with the last record of each chain; empty if the service has no signing key',
      ),
    head: ChainHead.optional().describe(
      'Only on the newest page of an export without a filter: proves that no later record is missing',
    ),
    chain_starts: z
      .array(ChainStart)
      .optional()
      .describe('Chains that begin on this page; only in an export without a filter'),
    next_cursor: z.string().optional().describe('Continues with the next page; absent on the last page'),
    resume_cursor: z.string().describe('Continues after this page, also if there is no later record yet'),
  })
  .meta({
    id: 'UsageExport',
    description: 'Records in the order of their arrival, in hash chains that a reader can verify',
  });
export type UsageExport = z.infer<typeof UsageExport>;

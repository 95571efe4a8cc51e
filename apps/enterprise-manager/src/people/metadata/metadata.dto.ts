import { z } from 'zod';
import type { StoredMetadata } from './metadata.repository.ts';

/** Body of a write: any JSON object. */
export const MetadataDocument = z.record(z.string(), z.unknown()).meta({
  id: 'MetadataDocument',
  description:
    'Any JSON object of at most 64 KiB of text, 16 levels and 1,000 keys; a larger one is 413. Numbers keep their text, for example `1.50` and `1e400`',
});
export type MetadataDocument = z.infer<typeof MetadataDocument>;

/** The metadata of a user or group. */
export const EntityMetadata = z
  .object({
    entity_id: z.guid(),
    entity_kind: z.enum(['user', 'group']),
    metadata: z
      .record(z.string(), z.unknown())
      .describe('The stored document. Each number keeps its text; the order of keys may differ'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'EntityMetadata', description: 'A JSON object that administrators attach to a user or group' });
export type EntityMetadata = z.infer<typeof EntityMetadata>;

/** Converts stored metadata to the DTO. */
export const toEntityMetadata = (
  entity_kind: EntityMetadata['entity_kind'],
  entity_id: string,
  stored: StoredMetadata,
): EntityMetadata => ({ entity_id, entity_kind, ...stored });

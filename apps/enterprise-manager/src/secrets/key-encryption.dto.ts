import { z } from 'zod';

/** The key-encryption keys and what they hold. */
export const KeyEncryptionStatus = z
  .object({
    current_version: z.int().optional().describe('The version that seals; absent without a key'),
    versions: z.array(
      z
        .object({
          version: z.int(),
          state: z
            .enum(['current', 'opens', 'missing', 'refused'])
            .describe(
              '`current` seals and opens; `opens` only opens; `missing` is not configured, though values need it; `refused` is configured as another key than before',
            ),
          values: z.int().min(0).describe('How many stored values it wraps; at 0 an older version can be taken away'),
        })
        .meta({ id: 'KeyEncryptionVersion' }),
    ),
    rewrapping: z.boolean().describe('Whether this replica is bringing values under the current version'),
  })
  .meta({ id: 'KeyEncryptionStatus', description: 'Versions of the key-encryption key; never a key' });
export type KeyEncryptionStatus = z.infer<typeof KeyEncryptionStatus>;

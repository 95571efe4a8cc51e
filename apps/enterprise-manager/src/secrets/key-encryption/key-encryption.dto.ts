import { z } from 'zod';

/** The versions of the key-encryption key and the number of values that they wrap. */
export const KeyEncryptionStatus = z
  .object({
    current_version: z.int().optional().describe('The version that wraps new values. Absent when no key is configured'),
    versions: z.array(
      z
        .object({
          version: z.int(),
          state: z
            .enum(['current', 'opens', 'missing', 'refused'])
            .describe(
              '`current` wraps new values and opens stored ones; `opens` only opens stored values; `missing` is not configured, although stored values need it; `refused` is not used, because it is configured with another key than before',
            ),
          values: z
            .int()
            .min(0)
            .describe(
              'Number of stored values that it wraps. An older version with 0 values can be removed from the configuration',
            ),
        })
        .meta({ id: 'KeyEncryptionVersion' }),
    ),
    rewrapping: z.boolean().describe('Whether the replica that answers is rewrapping values'),
  })
  .meta({ id: 'KeyEncryptionStatus', description: 'The versions of the key-encryption key, without the keys' });
export type KeyEncryptionStatus = z.infer<typeof KeyEncryptionStatus>;

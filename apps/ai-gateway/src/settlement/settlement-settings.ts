import { z } from 'zod';

/** The variables of the usage outbox, for the schema of the settings. */
export const settlementSettings = {
  USAGE_FOLDER: z
    .string()
    .min(1)
    .default('.gatehouse/ai-gateway/usage')
    .describe(
      'Folder of the usage outbox, on a local disk. It belongs to one process, and must be there again after a restart: in a cluster it is a volume of the replica',
    ),
  MAX_USAGE_EVENTS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000_000)
    .describe(
      'Most usage events that wait for the enterprise manager, with those of running requests. Beyond it model calls are refused; 1,000 events need about 1 MB',
    ),
};

/** The settings of the usage outbox. */
export type SettlementSettings = z.output<z.ZodObject<typeof settlementSettings>>;

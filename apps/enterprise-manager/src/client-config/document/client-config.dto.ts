import { z } from 'zod';
import { uuid } from '../../validation/text.ts';
import { EnterpriseConfig } from './directives.dto.ts';

const MAX_OVERRIDES = 500;

/** Members whose numbers are stored and read back as they are written. */
export const KEPT_NUMBERS = ['sampling_rate'] as const;

/** What the people of a group are configured with instead of the base. */
export const ClientConfigOverride = z
  .strictObject({
    group_id: uuid().describe('People in the group, directly or through subgroups'),
    precedence: z
      .int()
      .min(0)
      .max(1_000_000)
      .describe('Where several overrides of one person name a directive, the lowest number counts; each is given once'),
    config: EnterpriseConfig,
  })
  .meta({ id: 'ClientConfigOverride', description: 'Directives of a group' });
export type ClientConfigOverride = z.infer<typeof ClientConfigOverride>;

/** What clients are configured with: the base for everybody, and overrides. */
export const ClientConfig = z
  .strictObject({
    config: EnterpriseConfig.describe('For everybody'),
    overrides: z.array(ClientConfigOverride).max(MAX_OVERRIDES).describe('By precedence'),
  })
  .meta({ id: 'ClientConfig', description: 'What clients are configured with' });
export type ClientConfig = z.infer<typeof ClientConfig>;

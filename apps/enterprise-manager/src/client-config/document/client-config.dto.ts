import { z } from 'zod';
import { uuid } from '../../validation/text.ts';
import { EnterpriseConfig } from './directives.dto.ts';

const MAX_OVERRIDES = 500;

/** Members whose numbers keep the text that was written. */
export const KEPT_NUMBERS = ['sampling_rate'] as const;

/** The directives that replace those of the base document for the users of a group. */
export const ClientConfigOverride = z
  .strictObject({
    group_id: uuid().describe('The override applies to the users of this group, also through subgroups'),
    precedence: z
      .int()
      .min(0)
      .max(1_000_000)
      .describe(
        'If several overrides of a user have a directive, the one with the lowest precedence applies; each number is used once',
      ),
    config: EnterpriseConfig,
  })
  .meta({ id: 'ClientConfigOverride', description: 'Directives for the users of a group' });
export type ClientConfigOverride = z.infer<typeof ClientConfigOverride>;

/** The configuration of clients: the base document for all users, and overrides. */
export const ClientConfig = z
  .strictObject({
    config: EnterpriseConfig.describe('The base document for all users'),
    overrides: z.array(ClientConfigOverride).max(MAX_OVERRIDES).describe('The overrides of groups, by precedence'),
  })
  .meta({ id: 'ClientConfig', description: 'The configuration of clients' });
export type ClientConfig = z.infer<typeof ClientConfig>;

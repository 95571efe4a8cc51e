import { z } from 'zod';
import { AIPolicyStatus } from '../policies/policies.dto.ts';

/** The name and namespace of this instance's gateway, from the configuration. */
export const GatewayIdentity = z
  .strictObject({
    name: z
      .string()
      .max(253)
      .meta({ examples: ['ai-gateway'] }),
    namespace: z
      .string()
      .max(63)
      .meta({ examples: ['default'] }),
  })
  .meta({ id: 'GatewayIdentity', description: 'The owning gateway, from the configuration of this instance' });
export type GatewayIdentity = z.infer<typeof GatewayIdentity>;

/** The gateway of this instance, with its status. */
export const GatewayStatus = z
  .object({
    ...GatewayIdentity.shape,
    generation: z.int().describe('`metadata.generation` of the AIGateway: counts the changes of its `spec`'),
    ...AIPolicyStatus.pick({ observedGeneration: true, conditions: true }).shape,
  })
  .meta({ id: 'GatewayStatus', description: 'The owning gateway, and what the service found when it examined it' });

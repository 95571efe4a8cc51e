import { z } from 'zod';

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

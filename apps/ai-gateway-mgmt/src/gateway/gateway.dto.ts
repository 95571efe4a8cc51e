import { z } from 'zod';

/** Which gateway answers here, as the operator who installed it named it. */
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

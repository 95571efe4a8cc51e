import { z } from 'zod';

/** The beginning of a sign-in at the provider of a connector. */
export const ConnectFlow = z
  .object({
    authorize_url: z.url().meta({
      description:
        'Page of the gateway, on which the caller signs in, sees what is connected, and goes to the provider; valid for 10 minutes, for the caller only',
      examples: ['https://gateway.example.com/oauth/connect/eyJhbGciOiJkaXIi'],
    }),
  })
  .meta({ id: 'ConnectFlow', description: 'The beginning of a sign-in at the provider of a connector' });
export type ConnectFlow = z.infer<typeof ConnectFlow>;

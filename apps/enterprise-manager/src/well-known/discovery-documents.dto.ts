import { z } from 'zod';

/** What a client needs to know to sign in and to fetch its configuration. */
export const ClientBootstrapDiscovery = z
  .object({
    issuer: z.string().describe('OpenID provider to sign in at'),
    client_id: z.string().describe('Public client to sign in with'),
    scopes_supported: z.array(z.string()).meta({ examples: [['openid', 'profile', 'email']] }),
    config_endpoint: z.string().describe('Where the signed configuration is served'),
    jwks_uri: z.string().describe('Keys that verify the signed configuration'),
    oauth_protected_resource: z.string(),
  })
  .meta({ id: 'ClientBootstrapDiscovery', description: 'Where a client begins' });
export type ClientBootstrapDiscovery = z.infer<typeof ClientBootstrapDiscovery>;

/** A JSON Web Key Set (RFC 7517) with public keys only. */
export const JWKS = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({
  id: 'JWKS',
  description: 'JSON Web Key Set (RFC 7517)',
  examples: [
    {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
          kid: '9f86d081884c7d65',
          alg: 'ES256',
          use: 'sig',
        },
      ],
    },
  ],
});
export type JWKS = z.infer<typeof JWKS>;

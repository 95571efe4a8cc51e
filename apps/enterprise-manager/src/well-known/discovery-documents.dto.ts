import { z } from 'zod';

/** The document with which a client signs in and fetches its configuration. */
export const ClientBootstrapDiscovery = z
  .object({
    issuer: z.string().describe('The OpenID provider at which users sign in'),
    client_id: z.string().describe('The public OAuth client for the sign-in'),
    scopes_supported: z
      .array(z.string())
      .describe('The scopes for the sign-in')
      .meta({ examples: [['openid', 'profile', 'email']] }),
    config_endpoint: z.string().describe('The URL of the signed configuration'),
    jwks_uri: z.string().describe('The URL of the key set that verifies the signed configuration'),
    oauth_protected_resource: z.string().describe('The URL of the protected resource metadata (RFC 9728)'),
  })
  .meta({ id: 'ClientBootstrapDiscovery', description: 'The first document that a client reads' });
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

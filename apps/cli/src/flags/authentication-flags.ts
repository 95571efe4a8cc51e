import { Flags } from '@oclif/core';
import { list } from './build-flags.ts';

/** The flags of the authentication of clients, and of the exchange of their tokens. */
export const authenticationFlags = {
  'oidc-issuer': Flags.string({ description: 'issuer whose access tokens clients must send (default: no tokens)' }),
  'oidc-audience': Flags.string({ description: 'audience that tokens must have' }),
  'oidc-jwks-url': Flags.string({ description: 'address of the keys of the issuer (default: found by its metadata)' }),
  'oidc-introspection-url': Flags.string({ description: 'introspection endpoint, for tokens that are not JWTs' }),
  'oidc-client-id': Flags.string({ description: 'client of the proxy at the introspection endpoint' }),
  'oidc-client-secret': Flags.string({
    description: 'secret of this client, or NAME,target=oidc for a stored secret; it is stored as a secret',
  }),
  'oidc-scopes': list('scopes that clients are told to ask for, separated by commas (default: openid)'),
  'oidc-insecure-allow-http': Flags.boolean({ description: 'allow an issuer on http, for local development' }),
  'jwks-allow-private-ip': Flags.boolean({ description: 'allow an issuer on a private address or on this machine' }),
  'jwks-auth-token-file': Flags.string({ description: 'file with a bearer token for requests to the issuer' }),
  'resource-url': Flags.string({
    description: 'address of the server that metadata tells to clients (default: the address of the request)',
  }),
  'token-exchange-url': Flags.string({
    description: 'token endpoint that exchanges the token of each client for one of the server',
  }),
  'token-exchange-client-id': Flags.string({ description: 'client of the proxy at the token endpoint' }),
  'token-exchange-client-secret': Flags.string({
    description: 'secret of this client, or NAME,target=token_exchange for a stored secret; it is stored as a secret',
  }),
  'token-exchange-client-secret-file': Flags.string({ description: 'file with the secret of this client' }),
  'token-exchange-audience': Flags.string({ description: 'audience of the exchanged token' }),
  'token-exchange-scopes': list('scopes of the exchanged token, separated by commas'),
  'token-exchange-subject-token-type': Flags.string({
    description: 'type of the tokens of clients: access_token, id_token or jwt (default: access_token)',
  }),
  'token-exchange-header-name': Flags.string({
    description: 'header that carries the exchanged token (default: Authorization)',
  }),
};

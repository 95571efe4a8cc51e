import { Flags } from '@oclif/core';
import { list } from './build-flags.ts';

/** The flags of the credentials for a remote server. */
export const remoteFlags = {
  'remote-auth': Flags.boolean({ description: 'sign in to a remote server with your browser (OAuth)' }),
  'remote-auth-issuer': Flags.string({
    description: 'issuer of the tokens for a remote server (default: the one that the server names)',
  }),
  'remote-auth-authorize-url': Flags.string({
    description: 'authorization endpoint, for a server without metadata; with --remote-auth-token-url',
  }),
  'remote-auth-token-url': Flags.string({ description: 'token endpoint; with --remote-auth-authorize-url' }),
  'remote-auth-client-id': Flags.string({ description: 'registered client (default: it registers itself)' }),
  'remote-auth-client-secret': Flags.string({
    description: 'secret of this client, or NAME,target=remote_auth for a stored secret; it is stored as a secret',
  }),
  'remote-auth-client-secret-file': Flags.string({ description: 'file with the secret of this client' }),
  'remote-auth-scopes': list(
    'scopes to ask for, separated by commas (default: those that the server names; else openid, profile and email at an OpenID provider)',
  ),
  'remote-auth-scope-param-name': Flags.string({
    description: 'parameter of the authorization request with the scopes (default: scope)',
  }),
  'remote-auth-resource': Flags.string({
    description: 'resource indicator of the tokens (default: the one that the server names, else its URL)',
  }),
  'remote-auth-callback-port': Flags.string({
    description:
      'port of this machine to which the sign-in returns (default: 8666; a client that registers itself takes another one where it is in use)',
  }),
  'remote-auth-skip-browser': Flags.boolean({ description: 'print the address of the sign-in and open no browser' }),
  'remote-auth-timeout': Flags.string({ description: 'maximum time of the sign-in (default: 30s)' }),
  'remote-auth-bearer-token': Flags.string({
    description:
      'bearer token for a remote server, or NAME,target=remote_bearer for a stored secret; it is stored as a secret',
  }),
  'remote-auth-bearer-token-file': Flags.string({ description: 'file with the bearer token for a remote server' }),
  'remote-forward-headers': list(
    'header of requests to a remote server, Name=Value; stored as a secret; may be repeated',
  ),
  'remote-forward-headers-secret': list(
    'header of requests to a remote server from a secret, Name=SECRET; may be repeated',
  ),
};

import { Args, Flags } from '@oclif/core';

/** The argument that names an identity provider. */
export const providerArg = {
  provider: Args.string({ required: true, ignoreStdin: true, description: 'identity provider: id or name' }),
};

/** The flags for fields of an identity provider. */
export const providerFlags = {
  file: Flags.string({ description: 'file with the identity provider as JSON; - is standard input' }),
  issuer: Flags.string({
    description: 'issuer of OpenID Connect; its metadata is read',
    exclusive: ['authorization-endpoint', 'token-endpoint'],
  }),
  'authorization-endpoint': Flags.string({ description: 'authorization endpoint of OAuth 2, at which users sign in' }),
  'token-endpoint': Flags.string({ description: 'token endpoint of OAuth 2' }),
  'client-id': Flags.string({ description: 'id of the client at the provider', exclusive: ['dcr'] }),
  secret: Flags.string({ description: 'managed secret with the secret of the client: id or name' }),
  dcr: Flags.boolean({ description: 'let the gateway register itself as a client' }),
  scope: Flags.string({ multiple: true, description: 'scope to request; may be repeated' }),
  'private-addresses': Flags.boolean({
    description: 'permit private addresses and http',
    allowNo: true,
  }),
};

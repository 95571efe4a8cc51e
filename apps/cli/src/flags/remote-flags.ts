import { Flags } from '@oclif/core';
import { list } from './build-flags.ts';

/** The flags of the credentials for a remote server. */
export const remoteFlags = {
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

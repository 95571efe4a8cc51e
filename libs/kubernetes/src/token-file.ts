import type { KubeConfig, User } from '@kubernetes/client-node';
import { readFile } from 'node:fs/promises';

/**
 * Name of the authentication below. The one of the library, `tokenFile`, keeps a token for a
 * minute after its file has changed, and the newline at its end.
 */
const TOKEN_FILE = 'gatehouse-token-file';

/** The member of a user whose bearer token is in a file. */
export const createTokenFileUser = (path: string): Pick<User, 'authProvider'> => ({
  authProvider: { name: TOKEN_FILE, path },
});

/** Lets a configuration read the token of such users from its file for every request. */
export function addTokenFileAuthentication(config: KubeConfig): void {
  config.addAuthenticator({
    isAuthProvider: (user) => getProvider(user)?.name === TOKEN_FILE,
    applyAuthentication: async (user, options: { headers?: object }) => {
      const token = (await readFile(getProvider(user)?.path ?? '', 'utf8')).trim();
      options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
    },
  });
}

const getProvider = (user: User): { name?: unknown; path?: string } | undefined =>
  user.authProvider as { name?: unknown; path?: string } | undefined;

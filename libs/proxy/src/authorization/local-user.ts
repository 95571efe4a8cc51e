import { userInfo } from 'node:os';

/** The claims of a caller without authentication: the user of this machine. */
export function createLocalClaims(name: string = getUserName()): Readonly<Record<string, unknown>> {
  return {
    sub: name,
    iss: 'toolhive-local',
    aud: 'toolhive',
    email: `${name}@localhost`,
    name: `Local User: ${name}`,
  };
}

/** In a container the user can have no name. */
function getUserName(): string {
  try {
    return userInfo().username || 'local';
  } catch {
    return 'local';
  }
}

import { homedir, userInfo } from 'node:os';

/** Returns the home of the environment, and that of the account, which can differ. */
export function listUserHomes(): string[] {
  try {
    return [homedir(), userInfo().homedir];
  } catch {
    // A user of a container has no account.
    return [homedir()];
  }
}

import { messageOf } from '@gatehouse/workloads/workload-error';
import type { ManagerEnvironment } from '../config/config.ts';
import { managerUrl, sessionsOf } from './manager/connect.ts';
import type { Session } from './session/sessions.ts';

/** How a session ended, as `--json` shows it. */
export interface SignedOut {
  readonly manager: string;
  readonly status: 'signed_out' | 'not_signed_in';
  /** Whether the provider ended it too. */
  readonly revoked: boolean;
  /** What is left to do, or could not be done. */
  readonly left?: string;
}

/**
 * Ends the session with a manager at its provider, and forgets it whatever the provider says.
 * @throws CliError
 */
export async function logout(
  home: string,
  environment: ManagerEnvironment,
  url: string | undefined,
): Promise<SignedOut> {
  const sessions = sessionsOf(home, environment);
  const manager = managerUrl(home, { url }, environment, sessions);
  return sessions.alone(manager, async () => {
    let session: Session | undefined;
    let left: string | undefined;
    try {
      session = await sessions.read(manager);
    } catch (error) {
      left = `${messageOf(error)}, so it was not ended at the provider`;
    }
    const revoked = session !== undefined && (await endAtProvider(session));
    if (session !== undefined && !revoked)
      left = `${session.issuer} was not told: its refresh token lives until it expires there`;
    await sessions.forget(manager);
    const known = session !== undefined || left !== undefined;
    return { manager, status: known ? 'signed_out' : 'not_signed_in', revoked, ...(left !== undefined && { left }) };
  });
}

async function endAtProvider(session: Session): Promise<boolean> {
  const { revoke } = await import('./session/provider.ts');
  return revoke(session).catch(() => false);
}

import { getErrorMessage } from '@gatehouse/workloads/errors/workload-error';
import type { ManagerEnvironment } from '../config/config.ts';
import { managerUrl, createSessions } from './manager/connect.ts';
import type { Session } from './session/sessions.ts';

/** The end of a session, as `--json` shows it. */
export interface SignedOut {
  readonly manager: string;
  readonly status: 'signed_out' | 'not_signed_in';
  /** Whether the provider revoked the session too. */
  readonly revoked: boolean;
  /** The remaining step, or the reason why the provider did not revoke the session. */
  readonly left?: string;
}

/**
 * Ends the session with a manager at its provider, and deletes it also when the provider fails.
 * @throws CliError
 */
export async function logout(
  home: string,
  environment: ManagerEnvironment,
  url: string | undefined,
): Promise<SignedOut> {
  const sessions = createSessions(home, environment);
  const manager = managerUrl(home, { url }, environment, sessions);
  return sessions.alone(manager, async () => {
    let session: Session | undefined;
    let left: string | undefined;
    try {
      session = await sessions.read(manager);
    } catch (error) {
      left = `${getErrorMessage(error)}, so the session still exists at the provider`;
    }
    const revoked = session !== undefined && (await endAtProvider(session));
    if (session !== undefined && !revoked)
      left = `${session.issuer} has no revocation endpoint: the refresh token stays valid until it expires`;
    await sessions.forget(manager);
    const known = session !== undefined || left !== undefined;
    return { manager, status: known ? 'signed_out' : 'not_signed_in', revoked, ...(left !== undefined && { left }) };
  });
}

async function endAtProvider(session: Session): Promise<boolean> {
  const { revoke } = await import('./session/provider.ts');
  return revoke(session).catch(() => false);
}

import type { ManagerEnvironment } from '../config/config.ts';
import { loginUrl, createSessions } from './manager/connect.ts';
import { managerAt } from './manager/manager.ts';
import { getProfile } from './manager/profile.ts';
import { sessionTokens } from './session/access.ts';
import { signIn } from './session/login.ts';
import type { OfflineAccess } from './session/offline-access.ts';
import { revoke } from './session/provider.ts';
import { parseTimeout } from './session/timeout.ts';
import type { SessionStorage, Session } from './session/sessions.ts';
import { CliError, ERROR_TYPES } from '../errors/cli-error.ts';

/** The options of a sign-in. */
export interface LoginFlags {
  readonly url: string | undefined;
  readonly device: boolean;
  readonly noBrowser: boolean;
  readonly prompt: string | undefined;
  readonly offlineAccess: OfflineAccess;
  readonly resource: string | undefined;
  /** A Go duration, such as `5m`. */
  readonly timeout: string;
  readonly abort: AbortSignal;
  readonly say: (text: string) => void;
}

/** A new session, as `--json` shows it. */
export interface SignedIn {
  readonly manager: string;
  readonly issuer: string;
  readonly subject: string;
  readonly user_name?: string;
  readonly kept_in: SessionStorage;
  /** Whether the session continues after its access token expires. */
  readonly lasting: boolean;
}

/**
 * Signs in, stores the session, and reads the user's identity from the manager.
 * @throws CliError; a session that the manager rejects is not stored
 */
export async function login(home: string, environment: ManagerEnvironment, flags: LoginFlags): Promise<SignedIn> {
  const timeoutMs = parseTimeout(flags.timeout);
  const sessions = createSessions(home, environment);
  const manager = loginUrl(home, flags, environment, sessions);
  const session = await signIn({
    manager,
    device: flags.device || (!flags.noBrowser && !environment.graphical),
    noBrowser: flags.noBrowser,
    prompt: flags.prompt,
    offlineAccess: flags.offlineAccess,
    resource: flags.resource,
    browser: environment.browser,
    timeoutMs,
    abort: flags.abort,
    say: flags.say,
  });
  const keptIn = await sessions.alone(manager, async () => {
    await sessions.forget(manager).catch(() => undefined);
    return sessions.keep(session);
  });
  sessions.makeLast(manager);
  const way = managerAt(manager, sessionTokens(sessions, manager));
  try {
    const me = await getProfile(way);
    const lasting = session.refresh_token !== undefined;
    if (!lasting) flags.say(describeSessionEnd(session));
    const { issuer, subject, user_name: userName } = me;
    await sessions.alone(manager, async () => {
      const current = await sessions.read(manager);
      if (current) await sessions.keep({ ...current, person: { issuer, subject } });
    });
    return {
      manager,
      issuer,
      subject,
      ...(userName !== undefined && { user_name: userName }),
      kept_in: keptIn,
      lasting,
    };
  } catch (error) {
    await revoke(session).catch(() => undefined);
    await sessions.forget(manager);
    throw error instanceof CliError ? toRejectedSignInError(error) : error;
  }
}

function describeSessionEnd({ access_expires_at: end }: Session): string {
  return `The provider issued no refresh token: this session ends at ${new Date(end).toISOString()}. Some providers issue one with --offline-access always or --prompt consent.`;
}

/** The error of a sign-in whose tokens the manager rejects. A second sign-in would not help. */
function toRejectedSignInError(error: CliError): CliError {
  if (error.code === 'interrupted') return error;
  const ErrorType = ERROR_TYPES[error.code];
  return new ErrorType(
    `Signed in, but ${error.message}`,
    ['ISSUERS and AUDIENCE of the enterprise manager'],
    error.cause,
  );
}

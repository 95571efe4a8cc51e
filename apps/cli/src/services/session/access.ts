import { loginCommand, type Session, type Sessions } from './sessions.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

/** An access token is replaced this long before it expires, in milliseconds. */
const MARGIN_MS = 30_000;

/** Gives access tokens. */
export interface TokenSource {
  /** Returns a token that is expected to be valid. */
  current(): Promise<string>;
  /** Returns another token after `refused` was rejected; undefined without another one. */
  instead(refused: string): Promise<string | undefined>;
}

/** A token from a flag or variable, for automation. */
export function fixedToken(token: string): TokenSource {
  return { current: () => Promise.resolve(token), instead: () => Promise.resolve(undefined) };
}

/**
 * The tokens of a session. A token that expires soon is replaced first. Of concurrent commands, one
 * refreshes it; the others wait for the lock and read the new token.
 */
export function sessionTokens(sessions: Sessions, manager: string, now: () => number = Date.now): TokenSource {
  const usable = (session: Session, refused?: string): boolean =>
    session.access_token !== '' && session.access_token !== refused && session.access_expires_at - now() > MARGIN_MS;

  const read = async (): Promise<Session> => {
    const session = await sessions.read(manager);
    if (session) return session;
    throw new CommandFailedError(`You are not signed in to ${manager}`, [loginCommand(manager)]);
  };

  const renew = (refused?: string): Promise<string> =>
    sessions.alone(manager, async () => {
      const session = await read();
      if (usable(session, refused)) return session.access_token;
      const { refresh, SessionEndedError } = await import('./provider.ts');
      try {
        const renewed = await refresh(session, now);
        // The session is stored before the token is used, because the old refresh token may be
        // invalid already.
        await sessions.keep(renewed);
        return renewed.access_token;
      } catch (error) {
        if (error instanceof SessionEndedError) await sessions.forget(manager);
        throw error;
      }
    });

  return {
    current: async () => {
      const session = await read();
      return usable(session) ? session.access_token : renew();
    },
    instead: (refused) => renew(refused),
  };
}

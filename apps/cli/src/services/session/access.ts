import { loginCommand, type Session, type Sessions } from './sessions.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

/** Milliseconds before its end from which an access token is not used any more. */
const MARGIN_MS = 30_000;

/** Gives access tokens. */
export interface TokenSource {
  /** A token that should be accepted. */
  current(): Promise<string>;
  /** Another one, after `refused` was not accepted; undefined where there is no other. */
  instead(refused: string): Promise<string | undefined>;
}

/** A token from outside, for automation. */
export function fixedToken(token: string): TokenSource {
  return { current: () => Promise.resolve(token), instead: () => Promise.resolve(undefined) };
}

/**
 * The tokens of a session. A token that ends soon is replaced first, by one command for all that
 * run at the same time: who comes second waits for the lock and finds the new one.
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
        // Kept before it is used: the old refresh token may be worth nothing already.
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

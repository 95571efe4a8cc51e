import { CommandFailedError, type CliError } from '../../errors/cli-error.ts';
import { loginCommand } from './sessions.ts';

/** A service that rejected a token, and the origin of the token. */
interface RefusedToken {
  /** Address of the service. */
  readonly url: string;
  /** Address of the manager whose session the token belongs to; undefined without a session. */
  readonly manager: string | undefined;
  /** The flag or variable that supplied the token instead of a session. */
  readonly source: string | undefined;
  /** The kind of the service, for advice: `manager`. */
  readonly service: string;
}

/**
 * The error for a rejected token. Its advice names the source of the token, because a login does
 * not replace a variable.
 * @param reason the sentence of the service, or an empty text
 */
export function createRefusedTokenError(
  { url, manager, source, service }: RefusedToken,
  reason: string,
  cause?: unknown,
): CliError {
  const token = source === undefined ? 'the access token' : `the access token of ${source}`;
  const login = manager === undefined ? 'gatehouse login' : loginCommand(manager);
  const tries =
    source === undefined
      ? [login]
      : [
          `${source} with a token that this ${service} accepts`,
          ...(source.startsWith('--') ? [] : [`unset ${source}, then ${login}`]),
        ];
  return new CommandFailedError(`${url} does not accept ${token}${reason === '' ? '' : `: ${reason}`}`, tries, cause);
}

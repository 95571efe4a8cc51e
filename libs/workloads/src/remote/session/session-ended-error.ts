import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The authorization server has ended the session: a person must sign in again. */
export class SessionEndedError extends GatehouseError {
  override readonly code = 'remote_session_ended';

  /** @param error the value of `error` of RFC 6749; empty where the server was not asked */
  constructor(
    message: string,
    readonly error: string,
  ) {
    super(message);
  }
}

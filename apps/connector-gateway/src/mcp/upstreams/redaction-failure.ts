import { UpstreamUnavailableError } from './upstream-unavailable.ts';

/** The error of a message that could not be redacted. @param isReceived from the connector */
export function createRedactionError(cause: unknown, isReceived: boolean): UpstreamUnavailableError {
  return isReceived
    ? new UpstreamUnavailableError(
        'gave an answer that could not be searched for the redaction patterns of this gateway',
        {
          reached: true,
          advice: 'The request was made; ask for less at a time, or tell an administrator.',
          cause,
        },
      )
    : new UpstreamUnavailableError(
        'was not called, because the request could not be searched for the redaction patterns of this gateway',
        { advice: 'Send less at a time, or tell an administrator.', cause },
      );
}

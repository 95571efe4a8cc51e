/** Turns an error of any pass into a response. The cause goes to the log only. */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { BodyTooLargeError, ClientDisconnectedError, refuse } from '../pipeline/exchange.ts';
import type { ProxyLogLine } from '../pipeline/options.ts';
import type { Pass } from '../pipeline/passes.ts';

/** Answers 413 for a body that is too large and 500 for an unexpected error. */
export function createRecoverPass(log: (line: ProxyLogLine) => void): Pass {
  return {
    name: 'recover',
    enter: () => 'next',
    handleError({ response }, error) {
      if (error instanceof ClientDisconnectedError) response.destroy();
      else if (response.headersSent) response.destroy();
      else if (error instanceof BodyTooLargeError) {
        refuse(response, 413, ErrorCode.invalidRequest, error.message, undefined, { connection: 'close' });
        return true;
      } else
        refuse(response, 500, ErrorCode.internalError, 'The proxy failed on this request. Its log contains the cause.');
      if (!(error instanceof ClientDisconnectedError))
        log({ level: 'error', message: 'A request failed in the proxy.', cause: error });
      return true;
    },
  };
}

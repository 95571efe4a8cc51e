/** An error in any pass becomes an answer; what caused it goes to the log and stays there. */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { BodyTooLarge, ClientGone, refuse } from '../pipeline/exchange.ts';
import type { ProxyLogLine } from '../pipeline/options.ts';
import type { Pass } from '../pipeline/passes.ts';

/** Answers 413 for a body that turned out too large and 500 for everything unforeseen. */
export function recoverPass(log: (line: ProxyLogLine) => void): Pass {
  return {
    name: 'recover',
    enter: () => 'next',
    failed({ response }, error) {
      if (error instanceof ClientGone) response.destroy();
      else if (response.headersSent) response.destroy();
      else if (error instanceof BodyTooLarge) {
        refuse(response, 413, ErrorCode.invalidRequest, error.message, undefined, { connection: 'close' });
        return true;
      } else refuse(response, 500, ErrorCode.internalError, 'The proxy failed on this request; its log says why.');
      if (!(error instanceof ClientGone))
        log({ level: 'error', message: 'A request failed in the proxy.', cause: error });
      return true;
    },
  };
}

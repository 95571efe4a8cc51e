import type { ServerResponse } from 'node:http';
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import type { Pass } from '../pipeline/passes.ts';
import { endRelayed } from './relay.ts';

/**
 * The streams that clients hold open for messages that belong to no request. A shutdown does not
 * wait for them. A stream that a client resumes can have an answer, so it is none of them.
 */
export class StandaloneStreams {
  private readonly open = new Set<ServerResponse>();

  get count(): number {
    return this.open.size;
  }

  /** Adds the watch to the pass that forwards. */
  watch(forward: Pass): Pass {
    return {
      ...forward,
      enter: (exchange) => {
        const { method, request, response } = exchange;
        const { accept, 'last-event-id': resumed } = request.headers;
        if (method === 'GET' && resumed === undefined && accept?.includes(EVENT_STREAM) === true) {
          this.open.add(response);
          response.once('close', () => this.open.delete(response));
        }
        return forward.enter(exchange);
      },
    };
  }

  /** Ends the streams after their last message, and those that the server has not begun. */
  end(): void {
    for (const response of this.open) {
      if (response.headersSent) endRelayed(response);
      else response.destroy();
    }
  }
}

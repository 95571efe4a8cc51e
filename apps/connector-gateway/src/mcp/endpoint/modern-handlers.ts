import { createMcpHandler, type McpHandlerRequestOptions, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { AuthenticatedUser } from '../access/access.ts';
import { onDisconnect } from '../http/on-disconnect.ts';
import type { LiveViews } from '../sessions/live-views.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import { type Plane } from '../calls/plane.ts';
import { getUserKey } from '../access/directory-view.ts';
import { createGatewayServer } from '../calls/server.ts';

/**
 * Serves the revision without sessions. Each request is complete; only `subscriptions/listen` stays
 * open.
 */
export interface ModernHandler {
  fetch(request: Request, options: McpHandlerRequestOptions, disconnected: AbortSignal): Promise<Response>;
}

/** Open subscription streams of one user at one endpoint. */
const MAX_SUBSCRIPTIONS = 32;

interface Entry {
  handler: McpHttpHandler;
  open: number;
}

/**
 * Holds one handler for each user and endpoint, so that a change notification reaches only its
 * user.
 */
export class ModernHandlers {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly plane: Plane,
    private readonly live: LiveViews,
  ) {}

  /** The handler of a user at an endpoint. */
  get(user: AuthenticatedUser, scope: EndpointScope): ModernHandler {
    const key = JSON.stringify([getUserKey(user), scope.slug ?? null]);
    return {
      fetch: async (request, options, disconnected) => {
        const entry = this.getEntry(key, scope);
        entry.open += 1;
        const unwatch = isListen(options.parsedBody)
          ? this.live.watch(user, scope, (kind) => entry.handler.notify[`${kind}Changed`]())
          : undefined;
        onDisconnect(disconnected, () => {
          unwatch?.();
          entry.open -= 1;
          if (entry.open === 0) this.entries.delete(key);
        });
        return entry.handler.fetch(request, options);
      },
    };
  }

  /** Number of handlers with open requests. */
  get size(): number {
    return this.entries.size;
  }

  async close(): Promise<void> {
    const all = [...this.entries.values()];
    this.entries.clear();
    await Promise.allSettled(all.map(({ handler }) => handler.close()));
  }

  private getEntry(key: string, scope: EndpointScope): Entry {
    let entry = this.entries.get(key);
    if (entry === undefined) {
      const handler = createMcpHandler(() => createGatewayServer(this.plane, scope), {
        legacy: 'reject',
        maxSubscriptions: MAX_SUBSCRIPTIONS,
        maxRequestBodySize: this.plane.limits.requestBytes,
      });
      entry = { handler, open: 0 };
      this.entries.set(key, entry);
    }
    return entry;
  }
}

const isListen = (body: unknown): boolean =>
  body !== null && typeof body === 'object' && 'method' in body && body.method === 'subscriptions/listen';

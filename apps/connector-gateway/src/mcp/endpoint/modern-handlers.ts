import { createMcpHandler, type McpHandlerRequestOptions, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { Person } from '../access/access.ts';
import { onceGone } from '../http/gone.ts';
import type { LiveViews } from '../sessions/live-views.ts';
import type { Scope } from '../catalogue/offers.ts';
import { type Plane } from '../calls/plane.ts';
import { personKey } from '../access/directory-view.ts';
import { createGatewayServer } from '../calls/server.ts';

/**
 * The revision without sessions: every request is complete in itself, and only
 * `subscriptions/listen` stays open.
 */
export interface ModernHandler {
  fetch(request: Request, options: McpHandlerRequestOptions, gone: AbortSignal): Promise<Response>;
}

/** Open subscription streams that one person may have at one endpoint. */
const MAX_SUBSCRIPTIONS = 32;

interface Entry {
  handler: McpHttpHandler;
  open: number;
}

/**
 * One handler per person and endpoint, so that a change in one person's view is told to nobody
 * else.
 */
export class ModernHandlers {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly plane: Plane,
    private readonly live: LiveViews,
  ) {}

  /** The handler for a person at an endpoint. */
  of(person: Person, scope: Scope): ModernHandler {
    const key = JSON.stringify([personKey(person), scope.slug ?? null]);
    return {
      fetch: async (request, options, gone) => {
        const entry = this.entry(key, scope);
        entry.open += 1;
        const unwatch = isListen(options.parsedBody)
          ? this.live.watch(person, scope, (kind) => entry.handler.notify[`${kind}Changed`]())
          : undefined;
        onceGone(gone, () => {
          unwatch?.();
          entry.open -= 1;
          if (entry.open === 0) this.entries.delete(key);
        });
        return entry.handler.fetch(request, options);
      },
    };
  }

  /** How many people are being served. */
  get size(): number {
    return this.entries.size;
  }

  async close(): Promise<void> {
    const all = [...this.entries.values()];
    this.entries.clear();
    await Promise.allSettled(all.map(({ handler }) => handler.close()));
  }

  private entry(key: string, scope: Scope): Entry {
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

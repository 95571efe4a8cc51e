import { Header } from '@gatehouse/mcp/headers';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import { getMeta, MetaKey } from '@gatehouse/mcp/meta';
import type { Exchange } from './exchange.ts';

/** The number of sessions whose clients are known. */
const MAX_CLIENTS = 10_000;

/** A client as it introduced itself. */
export interface KnownClient {
  readonly name: string;
  readonly version: string;
}

/** The clients of sessions, which introduced themselves in `initialize`. */
export class KnownClients {
  readonly #clients = new Map<string, KnownClient>();

  /** Finds the client of a session, or of a request without a session. */
  find({ request, message, session, openedSession = session?.id }: Exchange): KnownClient | undefined {
    const id = request.headers[Header.sessionId];
    if (typeof id === 'string') return this.#clients.get(id);
    // A client of HTTP with SSE introduces itself in the session that its stream has opened.
    const known = session && this.#clients.get(session.id);
    if (known !== undefined) return known;
    if (message?.kind !== 'request') return undefined;
    const { method, params } = message.message;
    const info = method === 'initialize' ? params?.['clientInfo'] : getMeta(params)?.[MetaKey.clientInfo];
    if (!isJsonObject(info)) return undefined;
    const client = { name: toText(info['name']), version: toText(info['version']) };
    if (openedSession !== undefined) this.#add(openedSession, client);
    return client;
  }

  #add(session: string, client: KnownClient): void {
    const [oldest] = this.#clients.keys();
    if (this.#clients.size >= MAX_CLIENTS && oldest !== undefined) this.#clients.delete(oldest);
    this.#clients.set(session, client);
  }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

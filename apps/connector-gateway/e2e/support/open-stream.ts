/** A response of a gateway that a test reads while it is open. */
export class OpenStream {
  private readonly lost = new AbortController();
  private text = '';
  private response: Response | undefined;
  /** Resolves when the response has ended, or its connection was lost. */
  readonly ended: Promise<void>;

  private constructor(url: string, init: RequestInit) {
    this.ended = this.read(url, init).catch(() => undefined);
  }

  /** Posts a JSON-RPC message of a session. */
  static post(url: string, token: string, session: string, message: object): OpenStream {
    return new OpenStream(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        'mcp-session-id': session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  }

  /** Opens the stream of a session, or resumes one. */
  static get(url: string, token: string, session: string, lastEventId?: string): OpenStream {
    return new OpenStream(url, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        'mcp-session-id': session,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    });
  }

  /** The status of the response, once it has begun. */
  get status(): number | undefined {
    return this.response?.status;
  }

  /** The ids of the received events. */
  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id!);
  }

  /** The messages that were received completely. */
  get messages(): StreamMessage[] {
    return [...this.text.matchAll(/^data: (\{.+)\n/gm)].map(([, data]) => JSON.parse(data!) as StreamMessage);
  }

  /** Cuts the connection. */
  cut(): void {
    this.lost.abort();
  }

  private async read(url: string, init: RequestInit): Promise<void> {
    this.response = await fetch(url, { ...init, signal: this.lost.signal });
    const decoder = new TextDecoder();
    for await (const chunk of this.response.body!) this.text += decoder.decode(chunk, { stream: true });
  }
}

/** A JSON-RPC message on a stream. */
export interface StreamMessage {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

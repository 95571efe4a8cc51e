import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { MarkedCall } from './marked-tool.ts';
import { readText } from './stock-clients.ts';

/** Descriptions of messages that reached a wrong client or a wrong stream. */
export type Violations = string[];

/** A client of one user. */
export interface MarkedClientOptions {
  name: string;
  token: string;
  /** Origins of all replicas. */
  replicas: readonly string[];
  /** Returns the origin for the next request. */
  chooseReplica: () => string;
}

/** A stock client whose requests reach any replica, and which checks the mark of every message. */
export class MarkedClient {
  private readonly running = new Map<string, { logs: number; asked: number }>();
  /** Number of notifications about changed tools. */
  listChanges = 0;
  private readonly client: Client;
  private endSession: () => Promise<void> = () => Promise.resolve();

  private constructor(
    private readonly name: string,
    private readonly violations: Violations,
    options: ClientOptions,
  ) {
    this.client = new Client({ name, version: '1' }, { capabilities: { elicitation: {} }, ...options });
    this.client.setNotificationHandler('notifications/message', ({ params }) => {
      this.find(String(params.data), 'log message').logs += 1;
    });
    this.client.setNotificationHandler('notifications/tools/list_changed', () => void (this.listChanges += 1));
    this.client.setRequestHandler('elicitation/create', ({ params }) => {
      this.find(params.message, 'question').asked += 1;
      return { action: 'accept', content: { text: `answer to ${params.message}` } };
    });
  }

  /**
   * Connects a client.
   * @param violations receives every message that reaches the wrong client or the wrong stream
   */
  static async connect(
    { name, token, replicas, chooseReplica }: MarkedClientOptions,
    violations: Violations,
    options: ClientOptions = {},
  ): Promise<MarkedClient> {
    const marked = new MarkedClient(name, violations, options);
    let pinned: string | undefined;
    const fetchAnywhere = async (input: string | URL, init?: RequestInit) => {
      const response = await fetch(new URL(new URL(input).pathname, pinned ?? chooseReplica()), init);
      const mark = typeof init?.body === 'string' ? /"mark":"([^"]+)"/.exec(init.body)?.[1] : undefined;
      if (mark !== undefined) void marked.checkStream(mark, response.clone());
      return response;
    };
    const transport = new StreamableHTTPClientTransport(new URL('http://any.invalid/mcp'), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
      fetch: fetchAnywhere,
    });
    await marked.client.connect(transport);
    marked.endSession = () => transport.terminateSession();
    if (marked.client.getNegotiatedProtocolVersion() === '2026-07-28') return marked;
    // A replica tells the others a moment after its response, so each replica is told here.
    for (pinned of replicas) await marked.client.request({ method: 'logging/setLevel', params: { level: 'debug' } });
    pinned = undefined;
    return marked;
  }

  /**
   * Calls the tool and checks its result, its notes and its question.
   * @param cancelMs delay after which the call is cancelled, if it still runs
   */
  async call(tool: string, call: MarkedCall, cancelMs?: number): Promise<void> {
    const seen = { logs: 0, asked: 0 };
    this.running.set(call.mark, seen);
    const progress: number[] = [];
    const signal = cancelMs === undefined ? undefined : AbortSignal.timeout(cancelMs);
    const request = this.client.callTool(
      { name: tool, arguments: { ...call }, _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } },
      {
        ...(signal && { signal }),
        onprogress: (note) => {
          // The client itself reports each round of questions.
          if (note.message?.startsWith('Fulfilling input') === true) return;
          if (note.message !== call.mark) this.violations.push(`${this.name}: progress of ${note.message}`);
          progress.push(note.progress);
        },
      },
    );
    const result = await request.catch((error: unknown) => {
      if (signal?.aborted !== true) throw error;
    });
    // Messages can still arrive after the end of a cancelled call.
    if (result === undefined) return;
    this.running.delete(call.mark);
    const counts = Array.from({ length: call.notes }, (_, at) => at + 1);
    const expected = {
      text: `${call.mark} ${call.asks ? `answer to ${call.mark}` : 'none'}`,
      seen: { logs: call.notes, asked: call.asks ? 1 : 0 },
      progress: counts,
    };
    const received = { text: readText(result), seen, progress };
    if (JSON.stringify(received) !== JSON.stringify(expected))
      this.violations.push(`${this.name}: ${JSON.stringify(received)} instead of ${JSON.stringify(expected)}`);
  }

  /** Returns the slugs of the connectors in the list of tools. */
  async listSlugs(): Promise<string[]> {
    const { tools } = await this.client.listTools();
    return [...new Set(tools.map(({ name }) => name.split('__')[0]!))].sort();
  }

  async close(): Promise<void> {
    await this.endSession();
    await this.client.close();
  }

  /** Checks that the response of a call contains no mark of another call. */
  private async checkStream(mark: string, response: Response): Promise<void> {
    const text = await response.text().catch(() => '');
    for (const [other] of text.matchAll(/mark-\d+-end/g))
      if (other !== mark) this.violations.push(`${this.name}: ${other} on the stream of ${mark}`);
  }

  private find(mark: string, what: string): { logs: number; asked: number } {
    const call = this.running.get(mark);
    if (call === undefined) this.violations.push(`${this.name}: ${what} of ${mark}, which is not its own`);
    return call ?? { logs: 0, asked: 0 };
  }
}

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ClientMemory } from './mcp-sign-in.ts';
import type { PersonBrowser } from './person-browser.ts';

/** The result of a call: its text, or the link with which the person connects the connector. */
export interface CallResult {
  text?: string;
  link?: string;
}

/** A stock MCP client that gets an address and nothing else, and opens the browser of a person. */
export interface SigningClient {
  /** How often the person let the client act. */
  readonly signIns: number;
  /** Connects, and signs in. @returns the names of the tools */
  connect(): Promise<string[]>;
  call(tool: string, text: string): Promise<CallResult>;
  /** Sets the clock of the client forward, where it uses one. */
  advance(seconds: number): void;
  close(): Promise<void>;
}

const LINK = /http:[^ "]+\/oauth\/connect\/[\w.-]+/;
const URL_ELICITATION_REQUIRED = -32042;

/** The official TypeScript client. It supports URL elicitation. */
export class TypeScriptClient implements SigningClient {
  signIns = 0;
  readonly memory: ClientMemory;
  private readonly client = new Client({ name: 'stock', version: '1' }, { capabilities: { elicitation: { url: {} } } });
  private transport: StreamableHTTPClientTransport;

  constructor(
    private readonly url: string,
    private readonly browser: PersonBrowser,
  ) {
    this.memory = new ClientMemory({ client_name: 'TypeScript client' }, browser.redirectUri);
    this.transport = this.createTransport();
  }

  async connect(): Promise<string[]> {
    await this.client.connect(this.transport).catch(async (error: unknown) => {
      await this.signIn(error);
      this.transport = this.createTransport();
      await this.client.connect(this.transport);
    });
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(tool: string, text: string): Promise<CallResult> {
    try {
      const { content } = await this.client.callTool({ name: tool, arguments: { text } });
      return { text: content.map((part) => (part.type === 'text' ? part.text : '')).join('') };
    } catch (error) {
      const { code, data } = error as { code?: number; data?: { elicitations?: { url: string }[] } };
      const link = data?.elicitations?.[0]?.url;
      if (code === URL_ELICITATION_REQUIRED && link !== undefined) return { link };
      await this.signIn(error);
      return this.call(tool, text);
    }
  }

  /** Ends the grant of the client (RFC 7009). */
  async signOut(): Promise<void> {
    const { client, stored } = this.memory;
    const body = new URLSearchParams({ client_id: client?.client_id ?? '', token: stored?.refresh_token ?? '' });
    const response = await fetch(new URL('/oauth/revoke', this.url), { method: 'POST', body });
    if (!response.ok) throw new Error(`the revocation was refused: ${response.status} ${await response.text()}`);
  }

  advance(): void {
    // The client learns from the server that a token has expired.
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async signIn(error: unknown): Promise<void> {
    if (!(error instanceof UnauthorizedError) || this.memory.authorizationUrl === undefined) throw error;
    // A stream that ends in the meantime begins another authorization.
    this.memory.chosenUrl = this.memory.authorizationUrl;
    const redirect = await this.browser.allowClient(this.memory.chosenUrl.href);
    await this.transport.finishAuth(redirect.searchParams);
    this.signIns += 1;
  }

  private createTransport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(new URL(this.url), { authProvider: this.memory });
  }
}

/** An event of python/sign_in_client.py. */
interface PythonEvent {
  open?: string;
  tools?: string[];
  result?: string;
  failure?: string;
}

/** The official Python client. It does not support URL elicitation. */
export class PythonClient implements SigningClient {
  signIns = 0;
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;
  /** Its standard error. */
  private log = '';

  /** @param browser opens the page of an authorization, and returns the redirect to the client */
  constructor(
    python: string,
    url: string,
    private readonly browser: Pick<PersonBrowser, 'redirectUri' | 'allowClient'>,
  ) {
    const script = join(import.meta.dirname, '../python/sign_in_client.py');
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
    this.process = spawn(python, [script, url, browser.redirectUri], { env });
    this.process.stderr.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async connect(): Promise<string[]> {
    return (await this.read()).tools ?? [];
  }

  async call(tool: string, text: string): Promise<CallResult> {
    this.write({ call: tool, arguments: { text } });
    const { result, failure } = await this.read();
    if (result === undefined) throw new Error(`the Python client failed: ${failure} ${this.log}`);
    const link = LINK.exec(result)?.[0];
    return link === undefined ? { text: result } : { link };
  }

  advance(seconds: number): void {
    this.write({ advance: seconds });
  }

  async close(): Promise<void> {
    this.process.stdin.end();
    while (!(await this.lines.next()).done);
  }

  private write(command: object): void {
    this.process.stdin.write(`${JSON.stringify(command)}\n`);
  }

  /** The next event but those that ask for the browser. */
  private async read(): Promise<PythonEvent> {
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error(`the Python client ended: ${this.log}`);
    const event = JSON.parse(value) as PythonEvent;
    if (event.open === undefined) return event;
    this.process.stdin.write(`${(await this.browser.allowClient(event.open)).href}\n`);
    this.signIns += 1;
    return this.read();
  }
}

import { compileGrants } from '@gatehouse/policy/grants';
import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestIssuer } from '@gatehouse/testing/issuer';
import { UNLIMITED_SETTINGS } from '../../src/mcp/ports/gateway-settings.fixture.ts';

/** A connector of the fake manager. */
export interface TestConnector {
  id: string;
  slug: string;
  name: string;
  endpoint: string;
  transport: 'streamable-http' | 'sse';
  auth: {
    type: string;
    header_injection?: { header_name: string };
    secrets?: Record<string, { id: string; version: number }>;
    kubernetes_secrets?: Record<string, { name: string; namespace: string; key: string }>;
    /** The settings of further types. */
    [block: string]: unknown;
  };
  allow_private_ips: boolean;
  identity_provider?: {
    id: string;
    name: string;
    provider_type: 'oidc' | 'oauth2';
    registration_mode: 'static' | 'dcr';
    oidc_config?: Record<string, unknown>;
    oauth2_config?: Record<string, unknown>;
    secrets: Record<string, { id: string; version: number }>;
  };
}

/** A user of the fake manager. */
export interface TestUser {
  user_id: string;
  issuer: string;
  subject: string;
  active: boolean;
  groups: string[];
  connections: {
    connector_id: string;
    enabled: boolean;
    tools_enabled_by_default: boolean;
    tools_exception_list: string[];
    updated_at: string;
    version: number;
  }[];
  cleared_connections: { connector_id: string; version: number }[];
}

/** A user whose entitlements have changed, with the version of the change. */
type ChangedUser = Pick<TestUser, 'user_id' | 'issuer' | 'subject'> & { version: number };

/** The settings of the gateway, as a test changes them. */
export interface TestSettings {
  limits: Record<keyof typeof UNLIMITED_SETTINGS.limits, number | null>;
  content: typeof UNLIMITED_SETTINGS.content;
  connectors: Record<string, { limits?: Partial<TestSettings['limits']>; content?: Partial<TestSettings['content']> }>;
}

/** A record as received. */
export type TestRecord = Record<string, unknown> & { call_id: string };

/**
 * A fake of the enterprise manager's gateway API over real HTTP, in memory. It can fail in ways
 * that the real one cannot; other tests use the real one.
 */
export class TestManager {
  readonly connectors: TestConnector[] = [];
  readonly users: TestUser[] = [];
  readonly grants = new Map<string, string[]>();
  readonly documents = new Map<string, string>();
  /** All deliveries in order, with repetitions. */
  readonly deliveries: TestRecord[] = [];
  readonly records = new Map<string, TestRecord>();
  /** Values of secrets by id; other secrets are unknown. */
  readonly secrets = new Map<string, { value: string; version: number }>();
  /** Ids of the revealed secrets, in order. */
  readonly revealed: string[] = [];
  /** Answers requests for secrets with this status instead. */
  failRevealWith: number | undefined;
  /** Delay of answers about users. */
  entitlementsMs = 0;
  /** All observations in order, with repetitions. */
  readonly observations: Record<string, unknown>[] = [];
  /** The settings of the gateway; `notifyChange` publishes a change. */
  settings: TestSettings = { ...UNLIMITED_SETTINGS, connectors: {} };
  /** Rejects records with this tool name. */
  rejectTool: string | undefined;
  /** Number of requests for the entitlements of a user. */
  lookups = 0;
  /** Answers these requests with this status instead. */
  failLookupsWith: number | undefined;
  /** Access tokens that are answered 401. */
  readonly refusedTokens = new Set<string>();
  /** The access token of the last request. */
  lastToken = '';
  /** Delay of answers about changed entitlements. */
  changesMs = 0;
  /** Answers every request with this status instead. */
  failWith: number | undefined;
  /** Version of the changed entitlements, and the changes with theirs. */
  private version = 1;
  private readonly changes: ChangedUser[] = [];
  /** The waiting polls for the snapshot. */
  private readonly snapshotPolls = new Set<{ etag: string }>();
  /** The waiting polls. */
  private readonly polls = new Set<{ version: number | undefined }>();
  /** The entitlements of each user at the last poll, and the identity that they belong to. */
  private readonly seen = new Map<string, ChangedUser & { etag: string }>();
  private readonly changed = new EventEmitter().setMaxListeners(0);
  private readonly server = createServer((request, response) => void this.respond(request, response));
  private listeningPort = 0;

  constructor(
    private readonly issuer: TestIssuer,
    private readonly gatewayId: string,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.listeningPort}`;
  }

  /** Whether it answers requests. */
  get isListening(): boolean {
    return this.server.listening;
  }

  get tokenUrl(): string {
    return `${this.url}/token`;
  }

  async start(): Promise<void> {
    this.server.listen(this.listeningPort, '127.0.0.1');
    await once(this.server, 'listening');
    this.listeningPort = (this.server.address() as AddressInfo).port;
  }

  /** Stops like a killed process: open requests break. `start` restarts it on the same port. */
  async stop(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    this.server.closeAllConnections();
    await closed;
  }

  /** Breaks all open requests. */
  breakConnections(): void {
    this.server.closeAllConnections();
  }

  /** Adds a connector and grants it to a group. */
  addConnector(
    connector: Partial<TestConnector> & { endpoint: string; slug: string },
    groups: string[],
  ): TestConnector {
    const full: TestConnector = {
      id: randomUUID(),
      name: `Connector ${connector.slug}`,
      transport: 'streamable-http',
      auth: { type: 'none' },
      allow_private_ips: true,
      ...connector,
    };
    this.connectors.push(full);
    this.grants.set(full.id, groups);
    this.notifyChange();
    return full;
  }

  /** Adds a user. */
  addUser(user: Partial<TestUser> & { subject: string }): TestUser {
    const full: TestUser = {
      user_id: randomUUID(),
      issuer: this.issuer.issuer,
      active: true,
      groups: [],
      connections: [],
      cleared_connections: [],
      ...user,
    };
    this.users.push(full);
    return full;
  }

  /** Enables or disables a connector for a user. */
  toggle(user: TestUser, connector: TestConnector, enabled: boolean, exceptions: string[] = []): void {
    const version = this.nextVersion(user, connector.id);
    user.connections = user.connections.filter((own) => own.connector_id !== connector.id);
    user.cleared_connections = user.cleared_connections.filter((own) => own.connector_id !== connector.id);
    user.connections.push({
      connector_id: connector.id,
      enabled,
      tools_enabled_by_default: true,
      tools_exception_list: exceptions,
      updated_at: new Date().toISOString(),
      version,
    });
  }

  /** Resets a user's connection to its default. */
  clear(user: TestUser, connectorId: string): void {
    const version = this.nextVersion(user, connectorId);
    user.connections = user.connections.filter((own) => own.connector_id !== connectorId);
    user.cleared_connections = [...user.cleared_connections, { connector_id: connectorId, version }];
  }

  private nextVersion(user: TestUser, connectorId: string): number {
    const entries = [...user.connections, ...user.cleared_connections];
    return (entries.find((own) => own.connector_id === connectorId)?.version ?? 0) + 1;
  }

  /** Notifies waiting gateways of changed connectors or policies. */
  notifyChange(): void {
    this.changed.emit('change');
  }

  private snapshot(): object {
    return {
      gateway_id: this.gatewayId,
      connectors: this.connectors,
      policies: this.connectors.map(({ id }) => ({
        connector_id: id,
        version: 1,
        document: this.documents.get(id) ?? compileGrants(id, this.grants.get(id) ?? []),
      })),
      claim_mapping: { email: 'String' },
      binding_claims: {},
      limits: { batch_calls: 1000 },
      settings: this.settings,
    };
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(status === 204 ? undefined : JSON.stringify(body));
    const url = new URL(request.url ?? '/', this.url);
    const text = await readBody(request);
    if (url.pathname === '/token') {
      return void send(200, {
        access_token: await this.issuer.token({ subject: 'gateway', roles: ['gateway'] }),
        expires_in: 300,
      });
    }
    if (this.failWith !== undefined) return void send(this.failWith, { error: 'this failure is part of the test' });
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    if (!token.startsWith('ey') || this.refusedTokens.has(token)) return void send(401, { error: 'no token' });
    this.lastToken = token;
    const base = `/gateway/v1/gateways/${this.gatewayId}`;
    if (!url.pathname.startsWith(base)) return void send(404, { error: 'unknown gateway' });
    const path = url.pathname.slice(base.length);
    if (path === '/snapshot') return this.sendSnapshot(request, response, url);
    if (path === '/entitlement-changes') return this.sendChanges(response, url);
    if (path === '/entitlements') {
      this.lookups += 1;
      if (this.failLookupsWith !== undefined)
        return void send(this.failLookupsWith, { error: 'this is part of the test' });
      await sleep(this.entitlementsMs);
      // A served state has a version, also if the user changes again before the next poll.
      this.detectChanges();
      const user = this.users.find(
        (one) => one.issuer === url.searchParams.get('issuer') && one.subject === url.searchParams.get('subject'),
      );
      if (user === undefined) return void send(404, { error: 'unknown user' });
      sendTagged(request, response, { ...user, version: computeETag(user) });
      return;
    }
    const connection = /^\/connections\/([^/]+)\/([^/]+)$/.exec(path);
    if (connection) {
      const change = {
        userId: connection[1]!,
        connectorId: connection[2]!,
        text,
        ifMatch: request.headers['if-match'],
      };
      return void send(...this.changeConnection(request.method, change));
    }
    const secret = /^\/secrets\/([^/]+)\/reveal$/.exec(path);
    if (secret && request.method === 'POST') return void send(...this.reveal(secret[1]!));
    if (path === '/tool-calls') return void send(...this.storeRecords(text));
    if (path === '/connection-statuses') {
      const { statuses } = JSON.parse(text) as { statuses: Record<string, unknown>[] };
      this.observations.push(...statuses);
      return void send(200, { results: statuses.map(() => ({ status: 'stored' })) });
    }
    send(404, { error: 'not found' });
  }

  private async sendSnapshot(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const waitMs = Number(url.searchParams.get('wait')) * 1_000;
    if (request.headers['if-none-match'] === computeETag(this.snapshot()) && waitMs > 0) {
      const ended = new AbortController();
      const poll = { etag: request.headers['if-none-match'] };
      this.snapshotPolls.add(poll);
      const waits = [
        once(this.changed, 'change', ended),
        once(response, 'close', ended),
        sleep(waitMs, undefined, ended),
      ];
      await Promise.race(waits);
      ended.abort();
      await Promise.allSettled(waits);
      this.snapshotPolls.delete(poll);
    }
    if (!response.destroyed) sendTagged(request, response, this.snapshot());
  }

  /** Whether this many gateways have the present snapshot and wait for a change of it. */
  isPublishedAt(gateways: number): boolean {
    const etag = computeETag(this.snapshot());
    return [...this.snapshotPolls].filter((poll) => poll.etag === etag).length >= gateways;
  }

  /** Whether this many gateways wait for a change after the present state of all users. */
  isCurrentAt(gateways: number): boolean {
    this.detectChanges();
    return [...this.polls].filter((after) => after.version === this.version).length >= gateways;
  }

  /** Forgets all changes, like a manager that was restored from a backup with an older version. */
  restore(): void {
    this.version = 1;
    this.changes.splice(0);
    this.seen.clear();
    for (const user of this.users) this.seen.set(user.user_id, { ...toChange(user), etag: computeETag(user) });
  }

  private async sendChanges(response: ServerResponse, url: URL): Promise<void> {
    const after = url.searchParams.has('after') ? Number(url.searchParams.get('after')) : undefined;
    const deadline = performance.now() + Number(url.searchParams.get('wait')) * 1_000;
    const poll = { version: after };
    this.polls.add(poll);
    for (;;) {
      this.detectChanges();
      const isNews = after === undefined || after !== this.version;
      if (isNews || performance.now() >= deadline || response.destroyed) break;
      await sleep(10);
    }
    this.polls.delete(poll);
    await sleep(this.changesMs);
    const all = after !== undefined && after > this.version;
    const users = this.changes.filter(({ version }) => after !== undefined && version > after);
    const body = { version: this.version, users: all ? [] : users, all, reset: all };
    if (!response.destroyed) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  /** Tests change users directly, so this compares them with their last known state. */
  private detectChanges(): void {
    const current = new Map(this.users.map((user) => [user.user_id, { ...toChange(user), etag: computeETag(user) }]));
    for (const id of new Set([...this.seen.keys(), ...current.keys()])) {
      const [before, now] = [this.seen.get(id), current.get(id)];
      if (before?.etag === now?.etag) continue;
      this.version += 1;
      for (const one of [before, now]) if (one) this.changes.push({ ...toChange(one), version: this.version });
    }
    this.seen.clear();
    for (const [id, user] of current) this.seen.set(id, { ...user, version: this.version });
  }

  private reveal(id: string): [number, unknown] {
    if (this.failRevealWith !== undefined) return [this.failRevealWith, { error: 'this failure is part of the test' }];
    this.revealed.push(id);
    const secret = this.secrets.get(id);
    return secret === undefined ? [404, { error: 'there is no such secret' }] : [200, secret];
  }

  private changeConnection(
    method: string | undefined,
    {
      userId,
      connectorId,
      text,
      ifMatch,
    }: { userId: string; connectorId: string; text: string; ifMatch: string | undefined },
  ): [number, unknown] {
    const user = this.users.find((one) => one.user_id === userId);
    const connector = this.connectors.find(({ id }) => id === connectorId);
    if (!user || !connector) return [404, { error: 'not found' }];
    if (ifMatch !== undefined && ifMatch !== `"${this.nextVersion(user, connectorId) - 1}"`)
      return [412, { error: 'the connection has changed' }];
    if (method === 'PUT') this.toggle(user, connector, (JSON.parse(text) as { enabled: boolean }).enabled);
    else this.clear(user, connectorId);
    return method === 'PUT' ? [200, {}] : [204, undefined];
  }

  private storeRecords(text: string): [number, unknown] {
    const { calls } = JSON.parse(text) as { calls: TestRecord[] };
    const results = calls.map((call) => {
      this.deliveries.push(call);
      if (call['tool_name'] === this.rejectTool)
        return { status: 'rejected', error: 'tool_name: is rejected by the test' };
      const status = this.records.has(call.call_id) ? 'duplicate' : 'stored';
      this.records.set(call.call_id, call);
      return { status };
    });
    return [200, { results }];
  }
}

const toChange = ({ user_id, issuer, subject }: Omit<ChangedUser, 'version'>): ChangedUser => ({
  user_id,
  issuer,
  subject,
  version: 0,
});

const computeETag = (value: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)}"`;

function sendTagged(request: IncomingMessage, response: ServerResponse, body: object): void {
  const etag = computeETag(body);
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { 'content-type': 'application/json', etag }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

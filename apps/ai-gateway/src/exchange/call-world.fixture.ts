import type { AIGateway, AIPolicy } from '@gatehouse/ai-resources/resource';
import type { Log } from '@gatehouse/service-kit/log';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AdmissionQuery } from '../admission/admission.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { WireFormat } from '../formats/operation.ts';
import { SERVED_FORMATS } from '../formats/served-formats.ts';
import type { Principal } from '../identity/principals.ts';
import { ModelGrants } from '../policy/model-grants.ts';
import { ProviderBreakers } from '../routing/provider-breakers.ts';
import type { UsageIntent, UsageOutcome } from '../settlement/usage-recorder.ts';
import { ProviderPlatforms } from '../upstream/platforms/provider-platforms.ts';
import { ProviderConnections } from '../upstream/provider-connections.ts';
import { CallLimits } from './call-limits.ts';
import type { CallObserver, ObservedAttempt, ObservedRefusal } from './call-observer.ts';
import type { CallPasses } from './call-pass.ts';
import { DrainSlots } from './drain-slots.ts';
import { ModelCalls } from './model-calls.ts';
import { RunningCalls } from './running-calls.ts';
import { RequestMemory } from './request-memory.ts';

/** The credential of the only caller. */
export const CREDENTIAL = 'secret-of-alice';
const ALICE: Principal = {
  id: 'key:aaaaaaaa',
  kind: 'key',
  wire: { virtual_key_id: 'aaaaaaaa' },
  owner: { issuer: 'https://issuer.example.com', subject: 'alice' },
  claims: { groups: 'developers' },
  keyVersion: 1,
};

/** Serves one request at a provider. @param body the received text */
export type Provider = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A request that a provider has received. */
export interface ReceivedCall {
  readonly headers: IncomingMessage['headers'];
  readonly url: string;
  readonly body: string;
  /** Whether the gateway has closed the connection before the end of the response. */
  isClosed: boolean;
}

/** The options of a posted request. */
interface PostOptions extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** The gateway's model calls on a port of their own, with providers that tests script. */
export class CallWorld {
  readonly received: ReceivedCall[] = [];
  readonly recorded: { intent: UsageIntent; outcome: UsageOutcome }[] = [];
  readonly begun: UsageIntent[] = [];
  readonly admitted: AdmissionQuery[] = [];
  readonly finished: unknown[] = [];
  readonly attempts: ObservedAttempt[] = [];
  readonly refusals: ObservedRefusal[] = [];
  readonly refusedKeys: string[] = [];
  /** The error of the next admission. */
  denial: ModelCallError | undefined;
  /** Why the caller is refused while its calls run. */
  refusal: ModelCallError | undefined;
  /** How often the caller of a running call was checked since it is refused. */
  checks = 0;
  recorderFailure: Error | undefined;
  passes: CallPasses | undefined;
  /** Receives attempts and refusals beside this world. */
  observer: CallObserver | undefined;
  /** Undefined to print errors only. */
  log: Log | undefined;
  spec: Partial<AIGateway['spec']> = {};
  /** The kind of all providers. */
  kind: WireFormat = 'openai';
  /** Further members of all providers and of all backends. */
  more: { provider?: object; backend?: object } = {};
  /** The credentials of providers, by name; others have `key-of-<name>`. */
  credentials: Readonly<Record<string, string>> = {};
  url = '';
  readonly memory = new RequestMemory(2_000_000);
  readonly drains = new DrainSlots({ slots: 4, longestMs: 5_000 });
  private readonly servers: Server[] = [];
  private readonly endpoints: string[] = [];
  private readonly connections = new ProviderConnections({ allowLoopback: true });
  private readonly platforms = new ProviderPlatforms({ allowLoopback: true, log: { warn: () => undefined } });
  private gateway: AIGateway | undefined;

  /** Opens the gateway. @param providers one for each backend of the model `m`, by priority */
  async open(...providers: readonly Provider[]): Promise<this> {
    for (const provider of providers) this.endpoints.push(await this.listen(this.record(provider)));
    const calls = this.createCalls();
    this.url = await this.listen((request, response) => {
      response.setHeader('x-request-id', 'r-1');
      calls.handle(request, response);
    });
    return this;
  }

  /** Posts a request, of chat completions unless it names another path. */
  post(
    body: object | string,
    { headers, path = '/v1/chat/completions', ...init }: PostOptions = {},
  ): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
      headers: { authorization: `Bearer ${CREDENTIAL}`, 'content-type': 'application/json', ...headers },
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.connections.close(), this.platforms.close()]);
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  private createCalls(): ModelCalls {
    const grants = new ModelGrants('g');
    const policy = { metadata: { name: 'p' }, spec: createPolicySpec() } as unknown as AIPolicy;
    grants.update('p', policy);
    const parts = {
      getGateway: () => (this.gateway ??= this.createGateway()),
      principals: {
        identify: (credential: string) => {
          if (credential === CREDENTIAL) return ALICE;
          throw new ModelCallError('unauthenticated', 'Incorrect API key provided.');
        },
      },
      grants,
      budgets: {
        admission: { admit: (query: AdmissionQuery) => this.admit(query) },
        recorder: {
          begin: (intent: UsageIntent) => void this.begun.push(intent),
          discard: () => undefined,
          finish: (intent: UsageIntent, outcome: UsageOutcome) => this.finish(intent, outcome),
        },
      },
      providerKeys: {
        get: ({ name }: { name: string }) => this.credentials[name] ?? `key-of-${name}`,
        explainMissing: () => undefined,
        reportRefused: ({ name }: { name: string }) => void this.refusedKeys.push(name),
      },
      connections: this.connections,
      platforms: this.platforms,
      breakers: new ProviderBreakers(() => performance.now()),
      limits: new CallLimits(),
      running: new RunningCalls({ findRefusal: () => this.findRefusal() }),
      memory: this.memory,
      drains: this.drains,
      observer: {
        recordAttempt: (attempt: ObservedAttempt) => {
          this.attempts.push(attempt);
          this.observer?.recordAttempt(attempt);
        },
        recordRefusal: (refusal: ObservedRefusal) => {
          this.refusals.push(refusal);
          this.observer?.recordRefusal(refusal);
        },
      },
      settings: { requestBytes: 1_000_000, connectSeconds: 5, requestSeconds: 20, streamIdleSeconds: 20 },
      passes: { list: (gateway: AIGateway) => this.passes?.list(gateway) ?? [] },
      log: this.log ?? { warn: () => undefined, error: (fields: object) => console.error(fields) },
      createChallenge: () => undefined,
    };
    return new ModelCalls(parts as never, SERVED_FORMATS);
  }

  private createGateway(): AIGateway {
    const { kind, more } = this;
    const providers = this.endpoints.map((endpoint, at) => ({ name: `p${at}`, kind, endpoint, ...more.provider }));
    const backends = providers.map(({ name }, priority) => ({ provider: name, weight: 1, priority, ...more.backend }));
    const spec = { providers, routes: [{ match: { model: 'm' }, backends }], ...this.spec };
    return { metadata: { name: 'g', creationTimestamp: '2026-01-01T00:00:00Z' }, spec } as unknown as AIGateway;
  }

  private admit(query: AdmissionQuery) {
    if (this.denial !== undefined) throw this.denial;
    this.admitted.push(query);
    return {
      reservationId: `r${query.attempt}`,
      admittedAt: '2026-01-01T00:00:00Z',
      finish: (usage: unknown) => void this.finished.push(usage),
    };
  }

  private findRefusal(): ModelCallError | undefined {
    if (this.refusal !== undefined) this.checks += 1;
    return this.refusal;
  }

  private finish(intent: UsageIntent, outcome: UsageOutcome): Promise<void> {
    if (this.recorderFailure !== undefined) return Promise.reject(this.recorderFailure);
    this.recorded.push({ intent, outcome });
    return Promise.resolve();
  }

  private record(provider: Provider) {
    return (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const call = { headers: request.headers, url: request.url ?? '', body, isClosed: false };
        this.received.push(call);
        response.on('close', () => (call.isClosed = !response.writableFinished));
        provider(request, response, body);
      });
    };
  }

  private async listen(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    this.servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

const createPolicySpec = () => ({
  gatewayRef: { name: 'g' },
  principalMatchers: [{ claims: { groups: 'developers' } }],
  budgets: [{ name: 'all', models: ['m', 'without-route'] }],
});

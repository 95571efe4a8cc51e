import { openResourceStores, type ResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import type { AIGateway, AIPolicy } from '@gatehouse/ai-resources/resource';
import type { ResourcePage } from '@gatehouse/ai-resources/resource-store';
import { Clock } from '@gatehouse/service-kit/clock';
import { createService, type Service } from '@gatehouse/service-kit/start';
import { type Answer, type Call, createContractClient } from '@gatehouse/testing/contract-client';
import type { RunningService } from '@gatehouse/testing/contract-runner';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { loadSettings } from '../../src/config/config.ts';
import { createServiceOptions } from '../../src/service-options.ts';
import type { ResourceBackend } from '@gatehouse/testing/resource-backend';
import type { WrittenGateway, WrittenPolicy } from './written-resources.ts';
import { eventually } from '@gatehouse/testing/eventually';
import { createGateway, GATEWAY, ROLES } from './gateway.ts';

/** A running service of a world. */
export interface Replica {
  readonly service: Service;
  readonly url: string;
  /** Calls an operation and compares the answer with the document of the service. */
  call<Body = unknown>(operation: string, call?: Call): Promise<Answer<Body>>;
}

/** Services on one backend, with an issuer of tokens. */
export class World {
  /** Lines of the log of all services. */
  readonly lines: string[] = [];
  /** Milliseconds that the clock of the services is ahead. */
  aheadMs = 0;
  private readonly replicas: Replica[] = [];
  private readonly stores: ResourceStores;

  private constructor(
    readonly backend: ResourceBackend,
    readonly issuer: TestIssuer,
    readonly tokens: RunningService['tokens'],
  ) {
    this.stores = openResourceStores({ NAMESPACE: backend.namespace, ...backend.adminSettings });
  }

  /** Creates a world with the AIGateway of its services. */
  static async start(backend: ResourceBackend): Promise<World> {
    const issuer = await startIssuer();
    const roles = [...ROLES, 'auditor', 'user'] as const;
    const tokens = await Promise.all(roles.map(async (role) => [role, await issuer.token({ roles: [role] })] as const));
    const world = new World(backend, issuer, Object.fromEntries(tokens) as Record<(typeof roles)[number], string>);
    await backend.apply('AIGateway', world.gateway());
    return world;
  }

  /** The AIGateway of the services. */
  gateway(spec: Partial<AIGateway['spec']> = {}): WrittenGateway {
    const { issuer, audience } = this.issuer;
    return createGateway({ issuer, audience }, spec);
  }

  /** Starts a service, and waits until it is ready. */
  async startReplica(environment: Readonly<Record<string, string>> = {}): Promise<Replica> {
    const replica = await this.createReplica(environment);
    await eventually(async () => (await fetch(`${replica.url}/readyz`)).status === 200, 'the service is ready');
    return replica;
  }

  /** Starts a service. */
  async createReplica(environment: Readonly<Record<string, string>> = {}): Promise<Replica> {
    const settings = loadSettings({
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'debug',
      NAMESPACE: this.backend.namespace,
      GATEWAY_NAME: GATEWAY,
      CURSOR_KEY: 'k'.repeat(32),
      ...this.backend.environment,
      ...environment,
    });
    const service = await createService({
      ...createServiceOptions(settings),
      clock: Object.assign(new Clock(), { now: () => new Date(Date.now() + this.aheadMs) }),
      logDestination: { write: (line: string) => void this.lines.push(line) },
    });
    await service.listen();
    const client = createContractClient({ service: 'ai-gateway-mgmt', baseUrl: service.url });
    const call: Replica['call'] = (operation, request) => client.call(operation, request);
    const replica = { service, url: service.url, call };
    this.replicas.push(replica);
    return replica;
  }

  /** Reads a policy from the store, as an administrator of the store. */
  read(name: string): Promise<AIPolicy | undefined> {
    return this.stores.policies.get(name);
  }

  /** Reads a gateway from the store, as an administrator of the store. */
  readGateway(name: string): Promise<AIGateway | undefined> {
    return this.stores.gateways.get(name);
  }

  /** A digest of all policies, one line each. */
  async digest(): Promise<string> {
    const lines: string[] = [];
    for (let next: string | undefined = ''; next !== undefined;) {
      const page: ResourcePage<AIPolicy> = await this.stores.policies.list(next === '' ? {} : { continue: next });
      lines.push(...page.items.map((policy) => JSON.stringify(policy)));
      next = page.continue;
    }
    return lines.join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map(({ service }) => service.close()));
    await this.stores.close();
    await this.issuer.close();
    await this.backend.close();
  }
}

/** A policy of the gateway that matches the claim `groups`. */
export const createPolicy = (name: string, spec: Partial<AIPolicy['spec']> = {}): WrittenPolicy => ({
  metadata: { name },
  spec: { gatewayRef: { name: GATEWAY }, principalMatchers: [{ claims: { groups: 'staff' } }], ...spec },
});

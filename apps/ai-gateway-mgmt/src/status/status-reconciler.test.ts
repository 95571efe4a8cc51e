import { afterEach, describe, expect, it } from '@jest/globals';
import type { AIGateway, AIPolicy, Resource } from '@gatehouse/ai-resources/resource';
import { type ResourceObserver, type ResourceStore, ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Resources } from '../resources/resources.ts';
import { GatewayStatuses } from './gateway-statuses.ts';
import { PolicyStatuses } from './policy-statuses.ts';
import { StatusReconciler } from './status-reconciler.ts';

const apiVersion = 'gatehouse.dev/v1alpha1' as const;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Log;
const createMetadata = (name: string, resourceVersion: number) => ({
  name,
  namespace: 'team-a',
  uid: `uid-${name}`,
  resourceVersion: String(resourceVersion),
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
});

/** A store in memory. `beforePatch` can fail a write, or delay it. */
class MemoryStore<T extends Resource> {
  readonly resources = new Map<string, T>();
  version = 0;
  patches = 0;
  running = 0;
  mostRunning = 0;
  beforePatch: (name: string) => void | Promise<void> = () => undefined;
  private readonly observers = new Set<ResourceObserver<T>>();

  /** Stores a resource from outside. */
  set(create: (resourceVersion: number) => T): void {
    const resource = create((this.version += 1));
    this.resources.set(resource.metadata.name, resource);
    for (const observer of this.observers) observer.onChanged(resource);
  }

  remove(name: string): void {
    const found = this.resources.get(name);
    this.resources.delete(name);
    this.version += 1;
    if (found === undefined) return;
    const deleted = { ...found, metadata: createMetadata(name, this.version) };
    for (const observer of this.observers) observer.onDeleted(deleted);
  }

  readonly store = {
    get: (name: string) => Promise.resolve(this.resources.get(name)),
    patch: async (name: string, patch: object, { resourceVersion }: { resourceVersion: string }) => {
      this.running += 1;
      this.mostRunning = Math.max(this.mostRunning, this.running);
      try {
        await sleep(0);
        await this.beforePatch(name);
        return this.write(name, patch, resourceVersion);
      } finally {
        this.running -= 1;
      }
    },
    watch: (observer: ResourceObserver<T>, signal: AbortSignal) => {
      this.observers.add(observer);
      observer.onReplaced([...this.resources.values()], String(this.version));
      observer.onState({ status: 'following', problems: [] });
      return once(signal, 'abort').then(() => undefined);
    },
  } as unknown as ResourceStore<T>;

  private write(name: string, patch: object, resourceVersion: string): T {
    const current = this.resources.get(name);
    if (current?.metadata.resourceVersion !== resourceVersion)
      throw new ResourceStoreError('conflict', 'another version');
    this.patches += 1;
    this.set((version) => ({ ...current, ...patch, metadata: createMetadata(name, version) }));
    return this.resources.get(name) as T;
  }
}

const createPolicy =
  (name: string, gateway = 'gateway-a') =>
  (version: number): AIPolicy => ({
    apiVersion,
    kind: 'AIPolicy',
    metadata: createMetadata(name, version),
    spec: { gatewayRef: { name: gateway }, principalMatchers: [{ claims: { a: 'b' } }] },
  });
const createGateway =
  (name = 'gateway-a') =>
  (version: number): AIGateway => ({
    apiVersion,
    kind: 'AIGateway',
    metadata: createMetadata(name, version),
    spec: { auth: { oidc: { issuer: 'https://id.example.test', audience: 'a' } }, virtualKeys: { enabled: true } },
  });

describe('StatusReconciler', () => {
  const running: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((stop) => stop()));
  });

  const start = (policies: MemoryStore<AIPolicy>, gateways: MemoryStore<AIGateway>) => {
    const stores = {
      policies: policies.store,
      gateways: gateways.store,
      cluster: undefined,
      close: () => Promise.resolve(),
    };
    const resources = new Resources(stores, 'team-a', log);
    const stopped = new AbortController();
    const clock = new Clock();
    const statuses = [new PolicyStatuses(resources, clock, log), new GatewayStatuses(resources, clock)] as const;
    const reconciler = new StatusReconciler(resources, ...statuses, log);
    reconciler.onModuleInit();
    const { gateways: ownGateways, policies: ownPolicies } = resources;
    const following = Promise.all([ownGateways, ownPolicies].map(({ cache }) => cache.run(stopped.signal)));
    running.push(async () => {
      stopped.abort();
      await reconciler.beforeApplicationShutdown();
      await following;
    });
    return reconciler;
  };
  const until = async (isTrue: () => boolean) => {
    const end = performance.now() + 20_000;
    while (!isTrue()) {
      if (performance.now() > end) throw new Error('the condition did not hold in time');
      await sleep(10);
    }
  };
  const countReasons = (policies: MemoryStore<AIPolicy>, reason: string) =>
    [...policies.resources.values()].filter(({ status }) => status?.conditions?.[0]?.reason === reason).length;

  it('writes the status of 5,000 policies after a change of their gateway, a few at a time, each once', async () => {
    const [policies, gateways] = [new MemoryStore<AIPolicy>(), new MemoryStore<AIGateway>()];
    const count = 5_000;
    for (let at = 0; at < count; at += 1) policies.set(createPolicy(`p-${at}`));
    start(policies, gateways);
    await until(() => countReasons(policies, 'GatewayNotFound') === count);
    gateways.set(createGateway());
    await until(() => countReasons(policies, 'Accepted') === count);
    expect([policies.patches, policies.mostRunning]).toEqual([2 * count, 16]);
  }, 60_000);

  it('writes the status of a gateway once, and does not examine its policies again for that', async () => {
    const [policies, gateways] = [new MemoryStore<AIPolicy>(), new MemoryStore<AIGateway>()];
    gateways.set(createGateway());
    policies.set(createPolicy('p'));
    start(policies, gateways);
    start(policies, gateways);
    const readReasons = () => gateways.resources.get('gateway-a')?.status?.conditions?.map(({ reason }) => reason);
    await until(() => readReasons()?.join() === 'Accepted,ResolvedRefs' && policies.patches === 1);
    const examined = policies.resources.get('p');
    policies.set((version) => ({ ...createPolicy('p')(version), status: { conditions: [] } }));
    await until(() => policies.patches === 2);
    expect([gateways.patches, examined?.status?.conditions?.length]).toEqual([1, 2]);
  });

  it('shares the work of two replicas and writes each status once', async () => {
    const [policies, gateways] = [new MemoryStore<AIPolicy>(), new MemoryStore<AIGateway>()];
    for (let at = 0; at < 50; at += 1) policies.set(createPolicy(`p-${at}`));
    start(policies, gateways);
    start(policies, gateways);
    await until(() => countReasons(policies, 'GatewayNotFound') === 50);
    expect(policies.patches).toBe(50);
  });

  it('writes nothing for a policy whose status is right, or that is being deleted', async () => {
    const [policies, gateways] = [new MemoryStore<AIPolicy>(), new MemoryStore<AIGateway>()];
    policies.set(createPolicy('right'));
    start(policies, gateways);
    await until(() => policies.patches === 1);
    policies.set((version) => ({
      ...createPolicy('going')(version),
      metadata: { ...createMetadata('going', version), deletionTimestamp: '2026-01-01T00:00:00Z' },
    }));
    policies.set(createPolicy('next'));
    await until(() => countReasons(policies, 'GatewayNotFound') === 2);
    expect([policies.patches, policies.resources.get('going')?.status]).toEqual([2, undefined]);
  });

  it('leaves a policy alone after a conflict, and repeats after a failure of the store', async () => {
    const [policies, gateways] = [new MemoryStore<AIPolicy>(), new MemoryStore<AIGateway>()];
    const failures: Record<string, ResourceStoreError[]> = {
      contended: [new ResourceStoreError('conflict', 'another version')],
      unlucky: [new ResourceStoreError('unavailable', 'down'), new ResourceStoreError('rate_limited', 'too many')],
    };
    policies.beforePatch = (name) => {
      const failure = failures[name]?.shift();
      if (failure) throw failure;
    };
    for (const name of ['contended', 'unlucky', 'lucky']) policies.set(createPolicy(name));
    start(policies, gateways);
    await until(() => countReasons(policies, 'GatewayNotFound') === 2);
    expect(policies.resources.get('contended')?.status).toBeUndefined();
    policies.set(createPolicy('contended'));
    await until(() => countReasons(policies, 'GatewayNotFound') === 3);
  });

  it('stops during a pause', async () => {
    const [policies, gateways] = [new MemoryStore<AIPolicy>(), new MemoryStore<AIGateway>()];
    policies.beforePatch = () => {
      throw new ResourceStoreError('unavailable', 'down');
    };
    policies.set(createPolicy('never'));
    const reconciler = start(policies, gateways);
    await until(() => policies.mostRunning > 0);
    await reconciler.beforeApplicationShutdown();
    expect(policies.patches).toBe(0);
  });
});

describe('PolicyStatuses.complete', () => {
  it('returns the state with the status that another writer was faster to write', async () => {
    const policies = new MemoryStore<AIPolicy>();
    const resources = new Resources(
      {
        policies: policies.store,
        gateways: new MemoryStore<AIGateway>().store,
        cluster: undefined,
        close: () => Promise.resolve(),
      },
      'team-a',
      log,
    );
    const statuses = new PolicyStatuses(resources, new Clock(), log);
    policies.set(createPolicy('p'));
    const [created] = policies.resources.values();
    const [first, second] = await Promise.all([created!, created!].map((policy) => statuses.complete(policy)));
    expect(first?.status?.conditions?.[0]?.reason).toBe('GatewayNotFound');
    expect([second, policies.patches]).toEqual([first, 1]);
  });

  it('returns the policy without a status while the store does not answer', async () => {
    const policies = new MemoryStore<AIPolicy>();
    policies.beforePatch = () => {
      throw new ResourceStoreError('unavailable', 'down');
    };
    const stores = {
      policies: policies.store,
      gateways: new MemoryStore<AIGateway>().store,
      cluster: undefined,
      close: () => Promise.resolve(),
    };
    const statuses = new PolicyStatuses(new Resources(stores, 'team-a', log), new Clock(), log);
    policies.set(createPolicy('p'));
    const [created] = policies.resources.values();
    expect(await statuses.complete(created!)).toEqual(created);
  });
});

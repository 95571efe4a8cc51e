import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import type { ProxyFault } from '@gatehouse/testing/kubernetes-proxy';
import type { KubernetesResourceStore } from '../src/kubernetes/kubernetes-resource-store.ts';
import { DisturbedCluster } from './disturbed-cluster.ts';
import { catchStoreError, newPolicy } from './store-suite/new-policy.ts';

describeWhen(kubernetesPrograms(), 'a request of KubernetesResourceStore', (programs) => {
  let world: DisturbedCluster;
  let store: KubernetesResourceStore<'AIPolicy'>;
  let names = 0;
  beforeAll(async () => {
    world = await DisturbedCluster.start(programs);
    store = world.openStore();
    await store.list();
  }, 90_000);
  afterEach(() => world.proxy.inject(() => undefined));
  afterAll(() => world.close());

  /** Injects faults for the next requests, and then none. @returns the number of requests so far */
  function inject(...faults: (ProxyFault | undefined)[]): () => number {
    const before = world.proxy.requests.length;
    world.proxy.inject(() => faults.shift());
    return () => world.proxy.requests.length - before;
  }
  const createName = () => `policy-${(names += 1)}`;
  const limit = (headers: Record<string, string> = {}): ProxyFault => ({ status: 429, headers, body: 'Too many' });

  it('is repeated after 429, also a write', async () => {
    const name = createName();
    const count = inject(limit({ 'retry-after': '1' }), limit());
    expect((await store.create(newPolicy(name))).metadata.name).toBe(name);
    expect(count()).toBe(3);
  });

  it('ends as rate_limited when 429 continues', async () => {
    const count = inject(limit(), limit(), limit(), limit({ 'retry-after': '2' }));
    expect(await catchStoreError(store.create(newPolicy(createName())))).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 2_000,
    });
    expect(count()).toBe(4);
  });

  it('ends as rate_limited at once when the API asks for a long pause', async () => {
    const count = inject(limit({ 'retry-after': '60' }));
    expect(await catchStoreError(store.list())).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 });
    expect(count()).toBe(1);
  });

  it('ends a pause when its signal is aborted', async () => {
    const stop = new AbortController();
    const count = inject(limit({ 'retry-after': '2' }), limit({ 'retry-after': '2' }));
    const reading = store.get('a', stop.signal);
    const reason = new Error('the caller has left');
    setTimeout(() => stop.abort(reason), 200);
    await expect(reading).rejects.toBe(reason);
    expect(count()).toBe(1);
  });

  it('waits for a slow answer', async () => {
    inject({ delayMs: 1_500 });
    expect((await store.create(newPolicy(createName()))).metadata.generation).toBe(1);
  });

  it.each<['cut-before' | 'cut-after', boolean]>([
    ['cut-before', false],
    ['cut-after', true],
  ])('is not repeated after a broken connection (%s) when it writes', async (fault, isStored) => {
    const name = createName();
    const count = inject(fault);
    const error = await catchStoreError(store.create(newPolicy(name)));
    expect([error.code, count()]).toEqual(['unavailable', 1]);
    expect(error.message).toBe('The Kubernetes API does not answer. The API may have processed this create.');
    expect((await store.get(name)) !== undefined).toBe(isStored);
  });

  it('is not repeated after its time limit', async () => {
    const [name, hasty] = [createName(), world.openStore({ timeoutMs: 200 })];
    const created = await store.create(newPolicy(name));
    const patch = { spec: { description: 'b' } };
    for (const write of [
      () => hasty.create(newPolicy(createName())),
      () => hasty.patch(name, patch, created.metadata),
      () => hasty.delete(name, created.metadata),
      () => hasty.list(),
    ]) {
      const count = inject('hang');
      expect([(await catchStoreError(write())).code, count()]).toEqual(['unavailable', 1]);
    }
    expect(await store.get(name)).toEqual(created);
  });

  it.each([500, 502, 503, 504])('is unavailable, and not repeated, after %d', async (status) => {
    const count = inject({ status, body: 'failed' });
    const error = await catchStoreError(store.create(newPolicy(createName())));
    expect([error.code, error.message, count()]).toEqual(['unavailable', `The Kubernetes API answers ${status}.`, 1]);
  });

  it('says which verb RBAC forbids', async () => {
    await world.permit(['list']);
    const error = await catchStoreError(store.create(newPolicy(createName())));
    await world.permit();
    expect([error.code, error.message]).toEqual([
      'unavailable',
      'The Kubernetes API forbids this service to create aipolicies.gatehouse.dev in tools. Grant it the verb "create".',
    ]);
  });

  it.each(['<html>', '{}', '{"metadata":{"name":"a"}}', 'null', '[]', ''])(
    'is unavailable when the answer is %j',
    async (body) => {
      inject({ status: 200, headers: { 'content-type': 'application/json' }, body });
      expect((await catchStoreError(store.get('a'))).code).toBe('unavailable');
      inject({ status: 200, headers: { 'content-type': 'application/json' }, body });
      expect((await catchStoreError(store.list())).code).toBe('unavailable');
    },
  );

  it('does not repeat the body of a refusal in its message', async () => {
    const name = createName();
    const created = await store.create(newPolicy(name));
    const patch = { spec: { description: 'x'.repeat(100_000), money: 1 } };
    const error = await catchStoreError(store.patch(name, patch, created.metadata));
    expect(error.violations).toEqual([{ field: '/spec/money', message: 'is not a known field' }]);
    expect(error.message).toBe(`The AIPolicy ${name} is invalid: /spec/money is not a known field.`);
  });
});

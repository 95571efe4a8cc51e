import { openResourceStores, type ResourceSettings } from '@gatehouse/ai-resources/open-resource-store';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreatedPolicies } from '../../src/resources/created-policies.ts';
import { prepareResources } from '../../src/resources/resources.ts';

const ISSUER = 'http://127.0.0.1:8190';
const OTHER_ISSUER = 'http://127.0.0.1:9190';
const DEMO_PROVIDER = 'http://127.0.0.1:8185';

/** The stores of one test. */
export type TestStores = ReturnType<typeof openResourceStores>;

/**
 * Defines the tests of the resources of a new platform.
 * @param createSettings of an empty place
 */
export function describePreparation(createSettings: () => ResourceSettings | Promise<ResourceSettings>): void {
  let home: string;
  let stores: TestStores;
  let lines: string[];
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'gatehouse-created-'));
    stores = openResourceStores(await createSettings());
    lines = [];
  });
  afterEach(async () => {
    await stores.close();
    rmSync(home, { recursive: true, force: true });
  });

  const prepare = (issuer = ISSUER, demoProviderUrl?: string, given = stores) =>
    prepareResources(given, {
      issuer,
      demoProviderUrl,
      created: new CreatedPolicies(join(home, 'created-policies.json')),
      report: (line) => lines.push(line),
    });
  const readGateway = async () => (await stores.gateways.get('local')) as AIGateway;
  const listPolicies = async () => (await stores.policies.list()).items.map(({ metadata }) => metadata.name);
  const patchOidc = async (oidc: object) =>
    stores.gateways.patch('local', { spec: { auth: { oidc } } }, (await readGateway()).metadata);
  const remove = async (name: string) => {
    const policy = await stores.policies.get(name);
    if (policy !== undefined) await stores.policies.delete(name, policy.metadata);
  };

  it('creates the gateway of the platform and the policy of administrators', async () => {
    await prepare();
    const { issuer, jwksUri } = (await readGateway()).spec.auth.oidc;
    expect([issuer, jwksUri, await listPolicies()]).toEqual([ISSUER, `${ISSUER}/jwks`, ['administrators']]);
    expect(lines).toEqual(['AIGateway local created', 'AIPolicy administrators created']);
  });

  it('creates the policy of a demonstration also at a later start', async () => {
    await prepare();
    await prepare(ISSUER, DEMO_PROVIDER);
    expect(await listPolicies()).toEqual(['administrators', 'everyone']);
  });

  it('lets keys of all users match the policy of a demonstration, also at other ports', async () => {
    const readMatchers = async () => (await stores.policies.get('everyone'))?.spec.principalMatchers;
    await prepare(ISSUER, DEMO_PROVIDER);
    expect(await readMatchers()).toContainEqual({ claims: { iss: ISSUER } });
    await prepare(OTHER_ISSUER, DEMO_PROVIDER);
    expect(await readMatchers()).toContainEqual({ claims: { iss: OTHER_ISSUER } });
    expect(await readMatchers()).toHaveLength(4);
    expect(lines.at(-1)).toBe(`AIPolicy everyone now matches users of ${OTHER_ISSUER}`);
  });

  it('adds the models of a demonstration, whose address follows the ports, and keeps the rest', async () => {
    await prepare();
    const before = (await readGateway()).spec;
    await prepare(ISSUER, DEMO_PROVIDER);
    const { spec, metadata } = await readGateway();
    expect(spec.routes?.at(-1)?.match.model).toBe('demo-echo');
    expect(spec.providers?.filter(({ endpoint }) => endpoint === DEMO_PROVIDER)).toHaveLength(3);
    expect([spec.providers?.slice(0, 3), spec.routes?.slice(0, -1)]).toEqual([before.providers, before.routes]);
    await stores.gateways.patch('local', { spec: { routes: before.routes } }, metadata);
    await prepare(ISSUER, 'http://127.0.0.1:9185');
    const moved = (await readGateway()).spec;
    expect(moved.providers?.filter(({ endpoint }) => endpoint === 'http://127.0.0.1:9185')).toHaveLength(3);
    expect(moved.routes).toEqual(before.routes);
    lines = [];
    await prepare();
    expect(lines).toEqual([expect.stringContaining('answer only with --demo')]);
  });

  it('changes nothing that exists', async () => {
    await prepare();
    const { spec, metadata } = (await stores.policies.get('administrators'))!;
    await stores.policies.patch('administrators', { spec: { ...spec, description: 'Ours' } }, metadata);
    const before = [await readGateway(), await stores.policies.get('administrators')];
    lines = [];
    await prepare();
    expect([await readGateway(), await stores.policies.get('administrators')]).toEqual(before);
    expect(lines).toEqual([]);
  });

  it('does not create a deleted policy again, unless the gateway is a new one', async () => {
    await prepare();
    await remove('administrators');
    await prepare();
    expect(await listPolicies()).toEqual([]);
    await stores.gateways.delete('local', (await readGateway()).metadata);
    await prepare();
    expect(await listPolicies()).toEqual(['administrators']);
  });

  it('follows the ports of the platform, and keeps the rest of the gateway', async () => {
    await prepare();
    const { spec } = await stores.gateways.patch(
      'local',
      { spec: { routes: [], limits: { concurrentRequests: 7 } } },
      (await readGateway()).metadata,
    );
    await prepare(OTHER_ISSUER);
    const oidc = { ...spec.auth.oidc, issuer: OTHER_ISSUER, jwksUri: `${OTHER_ISSUER}/jwks` };
    expect((await readGateway()).spec).toEqual({ ...spec, auth: { ...spec.auth, oidc } });
    expect(lines.at(-1)).toContain(`now accepts tokens of ${OTHER_ISSUER}`);
  });

  it('follows the ports when another program changes the gateway at the same time', async () => {
    await prepare();
    const stale = await readGateway();
    await patchOidc({ issuer: 'http://127.0.0.1:7190' });
    const reads = [stale];
    const gateways: TestStores['gateways'] = Object.assign(Object.create(stores.gateways) as TestStores['gateways'], {
      get: (name: string) => Promise.resolve(reads.shift() ?? stores.gateways.get(name)),
      patch: (...args: Parameters<TestStores['gateways']['patch']>) => stores.gateways.patch(...args),
    });
    await prepare(OTHER_ISSUER, undefined, { ...stores, gateways });
    expect((await readGateway()).spec.auth.oidc.issuer).toBe(OTHER_ISSUER);
  });

  it('keeps an issuer that is not of this machine, and says so', async () => {
    await prepare();
    await patchOidc({ issuer: 'https://login.example.test' });
    lines = [];
    await prepare(OTHER_ISSUER);
    expect((await readGateway()).spec.auth.oidc.issuer).toBe('https://login.example.test');
    expect(lines).toEqual([expect.stringContaining(`set issuer ${OTHER_ISSUER}`)]);
  });

  it('creates each resource once when two platforms start at the same time', async () => {
    await Promise.all([prepare(), prepare()]);
    expect(lines.toSorted()).toEqual(['AIGateway local created', 'AIPolicy administrators created']);
    expect(await listPolicies()).toEqual(['administrators']);
  });
}

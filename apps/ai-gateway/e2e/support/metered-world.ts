import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { startFolderBackend } from '@gatehouse/testing/folder-backend';
import { eventually } from '@gatehouse/testing/eventually';
import { type ModelVendors, startModelVendorsProcess, VENDOR_KEYS } from '@gatehouse/testing/model-vendors';
import { freePort } from '@gatehouse/testing/ports';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import type { ResourceBackend } from '@gatehouse/testing/resource-backend';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RealManager, startRealManager } from './real-manager.ts';
import { createGateway, createPolicy, GATEWAY } from './service.ts';

/** Users beside alice and bob, so that each test can have its own budget. */
const CALLERS = Array.from({ length: 64 }, (_, at) => `caller-${at}`);
const VENDORS = ['openai', 'anthropic', 'google'] as const;
/** The models of the vendors that have routes. */
export const ROUTED_MODELS = {
  openai: ['gpt-5.4', 'gpt-5.4-mini', 'text-embedding-3-small'],
  anthropic: ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
  google: ['gemini-3.8-flash', 'gemini-2.5-flash', 'gemini-embedding-001'],
} as const;

type Route = NonNullable<AIGateway['spec']['routes']>[number];

/** The providers and routes of an AIGateway. */
type ServedModels = Pick<AIGateway['spec'], 'providers' | 'routes'>;

/** Creates them. @param secretIds the managed secrets with the keys of the vendors, by vendor */
export type CreateModels = (vendors: ModelVendors, secretIds: Readonly<Record<string, string>>) => ServedModels;

/** The parts of a world that replace its defaults. */
export interface MeteredWorldOptions {
  /** The number of gateways, which share the manager and the vendors. */
  readonly gateways?: number;
  /** Further variables of the manager. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Further variables of the gateways. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Further routes. */
  readonly routes?: readonly Route[];
  /** The providers and the last routes; by default those of the vendors themselves. */
  readonly createModels?: CreateModels;
  /** The place of the resources; by default a folder. */
  readonly startBackend?: () => ResourceBackend | Promise<ResourceBackend>;
}

/** A gateway in a process of its own, which keeps its address and its outbox over restarts. */
export class GatewayProcess {
  readonly url: string;
  private readonly usageFolder = mkdtempSync(join(tmpdir(), 'gatehouse-usage-'));
  private process: TestProcess | undefined;

  constructor(
    private readonly port: number,
    private readonly environment: Readonly<Record<string, string>>,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    const env = { ...this.environment, PORT: String(this.port), USAGE_FOLDER: this.usageFolder };
    this.process = await startProcess({ app: 'ai-gateway', env, readyUrl: `${this.url}/readyz` });
  }

  /** Ends the process with SIGKILL. */
  async kill(): Promise<void> {
    await this.process?.killHard();
  }

  /** The output of the process since its start. */
  readOutput(): string {
    return `${this.process?.stdout() ?? ''}${this.process?.stderr() ?? ''}`;
  }

  /** The text of `/readyz`. */
  async readReadiness(): Promise<string> {
    return (await fetch(`${this.url}/readyz`)).text();
  }

  async close(): Promise<void> {
    await this.process?.stop();
    rmSync(this.usageFolder, { recursive: true, force: true });
  }
}

/** Gateways, the real enterprise manager and simulated vendors, each in a process of its own. */
export class MeteredWorld {
  private callers = 0;

  private constructor(
    readonly manager: RealManager,
    readonly vendors: ModelVendors,
    readonly gateways: readonly GatewayProcess[],
    /** A virtual key of alice. */
    readonly key: string,
    /** The resources. The AIPolicy `everybody` grants all models to all callers. */
    readonly backend: ResourceBackend,
  ) {}

  static async open({
    gateways = 1,
    environment: more = {},
    settings = {},
    routes = [],
    createModels = createVendorModels,
    startBackend = startFolderBackend,
  }: MeteredWorldOptions = {}): Promise<MeteredWorld> {
    const [manager, vendors] = await Promise.all([
      startRealManager(more, ['alice', 'bob', ...CALLERS]),
      startModelVendorsProcess(),
    ]);
    const backend = await startBackend();
    const secretIds = await storeProviderKeys(manager, vendors);
    const { issuer, audience } = manager.issuer;
    const models = createModels(vendors, secretIds);
    const spec = { ...models, routes: [...routes, ...(models.routes ?? [])] };
    await backend.apply('AIGateway', createGateway({ issuer, audience }, spec));
    const policy = createPolicy(audience);
    const principalMatchers = [{ claims: { iss: issuer } }];
    await backend.apply('AIPolicy', { ...policy, spec: { ...(policy.spec as object), principalMatchers } });
    const { secret } = await manager.call<{ secret: string }>('alice', 'POST', '/v1/keys', {});
    const environment = {
      ...manager.environment,
      ...backend.environment,
      NAMESPACE: backend.namespace,
      GATEWAY_NAME: GATEWAY,
      METRICS_PORT: '0',
      LOG_LEVEL: 'warn',
      ALLOW_LOOPBACK_PROVIDERS: 'true',
      ...settings,
    };
    const started: GatewayProcess[] = [];
    for (let at = 0; at < gateways; at += 1) {
      const gateway = new GatewayProcess(await freePort(), environment);
      await gateway.start();
      started.push(gateway);
    }
    return new MeteredWorld(manager, vendors, started, secret, backend);
  }

  /** Returns the subject of a user that no other test has. */
  takeCaller(): string {
    const name = CALLERS[this.callers];
    if (name === undefined) throw new Error(`there are only ${CALLERS.length} callers`);
    this.callers += 1;
    return name;
  }

  /** Waits until no outbox has an event that the manager does not have. */
  async untilDelivered(): Promise<void> {
    let last = -1;
    await eventually(
      async () => {
        const count = await this.countEvents();
        const isStable = count === last;
        last = count;
        if (!isStable) await new Promise((resolve) => setTimeout(resolve, 2_500));
        return isStable;
      },
      'all usage events are delivered',
      120_000,
    );
  }

  async close(): Promise<void> {
    for (const gateway of this.gateways) await gateway.close();
    await this.vendors.close();
    await this.manager.close();
    await this.backend.close();
  }

  private async countEvents(): Promise<number> {
    const { events } = await this.manager.call<{ events: unknown[] }>('admin', 'GET', '/v1/budgets/events?limit=10000');
    return events.length;
  }
}

/** Stores the keys of the vendors as managed secrets, and lets the gateway reveal them. */
async function storeProviderKeys(
  manager: RealManager,
  { googleKeyFile }: ModelVendors,
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...VENDOR_KEYS, vertex: googleKeyFile })) {
    const body = { name: `${name}-key`, value };
    ids[name] = (await manager.call<{ id: string }>('admin', 'POST', '/v1/managed-secrets', body)).id;
  }
  await manager.stop();
  await manager.restart(Object.values(ids));
  return ids;
}

/** The vendors themselves, with a route for each model. */
const createVendorModels: CreateModels = ({ urls }, secretIds) => ({
  providers: VENDORS.map((name) => ({
    name,
    kind: name,
    endpoint: urls[name],
    managedSecretId: secretIds[name] ?? '',
  })),
  routes: VENDORS.flatMap((provider) =>
    ROUTED_MODELS[provider].map((model) => ({ match: { model }, backends: [{ provider, weight: 1, priority: 0 }] })),
  ),
});

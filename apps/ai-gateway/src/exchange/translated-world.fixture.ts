import { expect } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { type ModelVendors, startModelVendors, VENDOR_MODELS } from '@gatehouse/testing/model-vendors';
import { readUsage } from '@gatehouse/money/usage';
import type { JsonObject } from '../formats/model-request.ts';
import type { WireFormat } from '../formats/operation.ts';
import { CallWorld } from './call-world.fixture.ts';

/** A gateway whose only provider is a simulated vendor; all models are one of its models. */
export class TranslatedWorld {
  private constructor(
    readonly world: CallWorld,
    readonly vendors: ModelVendors,
    private readonly kind: WireFormat,
  ) {}

  static async open(kind: WireFormat): Promise<TranslatedWorld> {
    const vendors = await startModelVendors({ keys: { [kind]: ['key-of-p0'] } });
    const world = new CallWorld();
    const [model = ''] = VENDOR_MODELS[kind];
    world.spec = {
      providers: [{ name: 'p0', kind, endpoint: vendors.urls[kind] }],
      routes: [{ match: { model: 'm' }, backends: [{ provider: 'p0', model, weight: 1, priority: 0 }] }],
    };
    return new TranslatedWorld(await world.open(), vendors, kind);
  }

  /** The body of the last request that the vendor has received. */
  async readLastBody(): Promise<JsonObject> {
    const log = await this.vendors.readLog();
    return JSON.parse(log.at(-1)?.body ?? '{}') as JsonObject;
  }

  /** Expects that each answer is recorded with the usage that the vendor has counted. */
  async expectExactUsage(): Promise<void> {
    const log = (await this.vendors.readLog()).filter(({ usage }) => usage !== undefined);
    await eventually(() => this.world.recorded.length >= log.length, 'the usage is recorded');
    const counted = log.map(({ usage }) => readUsage(this.kind, usage as JsonObject));
    const recorded = this.world.recorded.flatMap(({ outcome }) =>
      outcome.raw_usage === null ? [] : [readUsage(this.kind, outcome.raw_usage)],
    );
    expect(recorded).toEqual(counted);
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.vendors.close();
  }
}

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { BASELINE_CATALOG, type BaselineCatalog } from '@gatehouse/money/baseline-catalog';
import { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { migrations } from '../../database/migrations.ts';
import { PriceLists } from './price-lists.ts';
import { PricingBaseline } from './pricing-baseline.ts';
import { inEffectNow, PricingRepository } from './pricing.repository.ts';

const quiet = { info: () => undefined } as unknown as Log;
const clock = new Clock();

/** A release whose prices were read on a day, with one model that has the release's name. */
const release = (read_on: string, model: string, input = '1') => ({
  read_on,
  provider_aliases: {},
  spec: { entries: [{ provider: 'openai', model, openai: { inputUsdPerMillion: input, outputUsdPerMillion: '1' } }] },
});
const SUMMER = release('2026-07-01', 'summer');
const AUTUMN = release('2026-10-01', 'autumn');

describe('the prices that come with a release', () => {
  let database: TestDatabase;
  let source: DataSource;
  let owner: DataSource;
  let repository: PricingRepository;
  beforeAll(async () => {
    database = await createDatabase({ name: 'pricing-baseline' });
    await migrate(database.ownerUrl, migrations);
    source = await createDataSource({ url: database.url, entities: [], poolSize: 12 }).initialize();
    owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 1 }).initialize();
    repository = new PricingRepository(source);
  }, 60_000);
  afterAll(async () => {
    await source.destroy();
    await owner.destroy();
    await database.drop();
  });
  beforeEach(() => owner.query('DELETE FROM pricing_catalogs'));

  const start = (baseline: Pick<BaselineCatalog, 'read_on' | 'provider_aliases' | 'spec'>) =>
    new PricingBaseline(repository, source, clock, quiet, baseline).onApplicationBootstrap();
  /** The models that have a price for requests that are admitted at a time. */
  const priced = async (at = clock.now()) => {
    const found = await new PriceLists().inEffect(source.manager, at);
    return ['summer', 'autumn', 'own', 'late'].filter((model) => found?.prices.find('openai', model));
  };
  const versions = async () =>
    (await owner.query<{ versions: number }[]>('SELECT count(*) AS versions FROM pricing_catalogs'))[0]?.versions;
  const operatorWrites = async (effectiveFrom: string, model = 'own') => {
    const id = uuidv7();
    await repository.insert(source.manager, {
      ...release('', model),
      id,
      effective_from: effectiveFrom,
      source: 'operator',
      created_at: clock.now().toISOString(),
      created_by: 'admin',
      baseline_date: null,
    });
    return id;
  };

  it('are there once, however many replicas start at once and start again', async () => {
    await Promise.all(Array.from({ length: 10 }, () => start(SUMMER)));
    await start(SUMMER);
    expect([await versions(), await priced()]).toEqual([1, ['summer']]);
  });

  it('count for requests of any time', async () => {
    await start(SUMMER);
    expect(await priced(new Date('2001-01-01T00:00:00Z'))).toEqual(['summer']);
  });

  it('give way to those of a newer release, which the older one does not take back when it starts again', async () => {
    await start(SUMMER);
    await start(AUTUMN);
    expect(await priced()).toEqual(['autumn']);
    await Promise.all([start(SUMMER), start(AUTUMN), start(SUMMER)]);
    expect([await versions(), await priced()]).toEqual([2, ['autumn']]);
  });

  it('can go back to what they were, by a release that says so later', async () => {
    for (const { read_on, input } of [
      { read_on: '2026-07-01', input: '1' },
      { read_on: '2026-08-01', input: '2' },
      { read_on: '2026-09-01', input: '1' },
    ])
      await start(release(read_on, 'summer', input));
    expect(await versions()).toBe(3);
    const newest = await repository.newestBaseline(source.manager);
    expect(newest?.spec.entries[0]?.openai?.inputUsdPerMillion).toBe('1');
  });

  it('never count again once an operator has written, whatever release starts', async () => {
    await start(SUMMER);
    await operatorWrites(clock.now().toISOString());
    await start(AUTUMN);
    expect([await versions(), await priced()]).toEqual([2, ['own']]);
  });

  it('stay while an operator’s first version is staged, and are not renewed then', async () => {
    await start(SUMMER);
    const later = new Date(Date.now() + 86_400_000);
    const id = await operatorWrites(later.toISOString());
    await start(AUTUMN);
    expect([await priced(), await priced(later)]).toEqual([['summer'], ['own']]);
    await repository.withdraw(source.manager, id, clock.now().toISOString());
    expect(await priced(later)).toEqual(['summer']);
    await start(AUTUMN);
    expect(await priced(later)).toEqual(['autumn']);
  });

  it('are found by an index, also among thousands of versions', async () => {
    await start(SUMMER);
    await owner.query(
      `INSERT INTO pricing_catalogs (id, effective_from, source, provider_aliases, spec, created_at)
       SELECT gen_random_uuid(), now() - n * interval '1 hour', 'operator', '{}', '{"entries":[]}', now() - n * interval '1 hour'
       FROM generate_series(1, 5000) AS n`,
    );
    await owner.query('ANALYZE pricing_catalogs');
    const plan = JSON.stringify(await source.query(`EXPLAIN ${inEffectNow('id').replace('$1', 'now()')}`));
    expect(plan).toContain('Index Scan Backward using pricing_catalogs_in_effect');
    expect(plan).not.toContain('Sort');
  });

  it('can neither be changed nor removed by the service, nor can any other version', async () => {
    await start(BASELINE_CATALOG);
    const before: unknown = await owner.query('SELECT * FROM pricing_catalogs');
    for (const attack of [
      `UPDATE pricing_catalogs SET spec = '{"entries":[]}'`,
      'UPDATE pricing_catalogs SET effective_from = now()',
      `UPDATE pricing_catalogs SET source = 'operator'`,
      'DELETE FROM pricing_catalogs',
      'TRUNCATE pricing_catalogs',
    ])
      await expect(source.query(attack)).rejects.toThrow(/permission denied/);
    expect(await owner.query('SELECT * FROM pricing_catalogs')).toEqual(before);
  });
});

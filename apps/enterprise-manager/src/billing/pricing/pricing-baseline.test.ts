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
import { selectInEffect, PricingRepository } from './pricing.repository.ts';

const quiet = { info: () => undefined } as unknown as Log;
const clock = new Clock();

/** Creates a release with the day of its prices and one model. */
const release = (read_on: string, model: string, input = '1') => ({
  read_on,
  provider_aliases: {},
  spec: { entries: [{ provider: 'openai', model, openai: { inputUsdPerMillion: input, outputUsdPerMillion: '1' } }] },
});
const SUMMER = release('2026-07-01', 'summer');
const AUTUMN = release('2026-10-01', 'autumn');

describe('the catalog of a release', () => {
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
  /** Lists the models with a price at a time. */
  const listPriced = async (at = clock.now()) => {
    const found = await new PriceLists().findInEffect(source.manager, at);
    return ['summer', 'autumn', 'own', 'late'].filter((model) => found?.prices.find('openai', model));
  };
  const countVersions = async () =>
    (await owner.query<{ versions: number }[]>('SELECT count(*) AS versions FROM pricing_catalogs'))[0]?.versions;
  const addOperatorVersion = async (effectiveFrom: string, model = 'own') => {
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

  it('is stored once by ten replicas that start in parallel and again', async () => {
    await Promise.all(Array.from({ length: 10 }, () => start(SUMMER)));
    await start(SUMMER);
    expect([await countVersions(), await listPriced()]).toEqual([1, ['summer']]);
  });

  it('is in effect for requests of any time', async () => {
    await start(SUMMER);
    expect(await listPriced(new Date('2001-01-01T00:00:00Z'))).toEqual(['summer']);
  });

  it('is replaced by a newer release, and not by a restart of the older one', async () => {
    await start(SUMMER);
    await start(AUTUMN);
    expect(await listPriced()).toEqual(['autumn']);
    await Promise.all([start(SUMMER), start(AUTUMN), start(SUMMER)]);
    expect([await countVersions(), await listPriced()]).toEqual([2, ['autumn']]);
  });

  it('can return to earlier prices in a later release', async () => {
    for (const { read_on, input } of [
      { read_on: '2026-07-01', input: '1' },
      { read_on: '2026-08-01', input: '2' },
      { read_on: '2026-09-01', input: '1' },
    ])
      await start(release(read_on, 'summer', input));
    expect(await countVersions()).toBe(3);
    const newest = await repository.findNewestBaseline(source.manager);
    expect(newest?.spec.entries[0]?.openai?.inputUsdPerMillion).toBe('1');
  });

  it('is not in effect after the first write of an operator', async () => {
    await start(SUMMER);
    await addOperatorVersion(clock.now().toISOString());
    await start(AUTUMN);
    expect([await countVersions(), await listPriced()]).toEqual([2, ['own']]);
  });

  it('stays in effect while the first version of an operator is staged, and is not replaced', async () => {
    await start(SUMMER);
    const later = new Date(Date.now() + 86_400_000);
    const id = await addOperatorVersion(later.toISOString());
    await start(AUTUMN);
    expect([await listPriced(), await listPriced(later)]).toEqual([['summer'], ['own']]);
    await repository.withdraw(source.manager, id, clock.now().toISOString());
    expect(await listPriced(later)).toEqual(['summer']);
    await start(AUTUMN);
    expect(await listPriced(later)).toEqual(['autumn']);
  });

  it('is found with an index among thousands of versions', async () => {
    await start(SUMMER);
    await owner.query(
      `INSERT INTO pricing_catalogs (id, effective_from, source, provider_aliases, spec, created_at)
       SELECT gen_random_uuid(), now() - n * interval '1 hour', 'operator', '{}', '{"entries":[]}', now() - n * interval '1 hour'
       FROM generate_series(1, 5000) AS n`,
    );
    await owner.query('ANALYZE pricing_catalogs');
    const plan = JSON.stringify(await source.query(`EXPLAIN ${selectInEffect('id').replace('$1', 'now()')}`));
    expect(plan).toContain('Index Scan Backward using pricing_catalogs_in_effect');
    expect(plan).not.toContain('Sort');
  });

  it('cannot be changed or deleted by the database role of the service, like every version', async () => {
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

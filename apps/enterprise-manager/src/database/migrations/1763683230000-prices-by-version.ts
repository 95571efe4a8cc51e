import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the versions of the pricing catalog. A version never changes and, once it has been in effect, never goes: charges name the one that priced them. The
 * position orders versions of one moment: baselines of several releases are all dated alike.
 */
export class PricesByVersion1763683230000 implements MigrationInterface {
  name = 'PricesByVersion1763683230000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE pricing_catalogs (
        id uuid NOT NULL CONSTRAINT pricing_catalogs_pkey PRIMARY KEY,
        position bigint GENERATED ALWAYS AS IDENTITY,
        effective_from timestamptz(3) NOT NULL,
        source text NOT NULL CONSTRAINT pricing_catalogs_source CHECK (source IN ('baseline', 'operator')),
        provider_aliases jsonb NOT NULL,
        spec jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        created_by text
      )`);
    await runner.query('CREATE INDEX pricing_catalogs_in_effect ON pricing_catalogs (effective_from, position)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pricing_catalogs');
  }
}

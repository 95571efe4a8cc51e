import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the versions of the pricing catalog. A version never changes and never goes: charges name
 * the one that priced them. The service may add versions and withdraw one that was staged, nothing
 * else; a withdrawn one counts for nothing from then on and can still be read by its id, since a
 * replica whose clock is ahead may have priced by it already.
 *
 * The position orders versions of one moment: baselines of several releases are all dated alike,
 * and two writes can come in one millisecond.
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
        entry_count integer NOT NULL GENERATED ALWAYS AS (jsonb_array_length(spec -> 'entries')) STORED,
        created_at timestamptz(3) NOT NULL,
        created_by text,
        baseline_date date,
        withdrawn_at timestamptz(3)
      )`);
    // What every admission asks: of operators before baselines, the newest that has come into
    // effect.
    await runner.query(`
      CREATE INDEX pricing_catalogs_in_effect ON pricing_catalogs ((source = 'operator'), effective_from, position)
      WHERE withdrawn_at IS NULL`);
    await runner.query('CREATE UNIQUE INDEX pricing_catalogs_by_position ON pricing_catalogs (position)');
    await runner.query(`SELECT keep_rights('pricing_catalogs', '{SELECT,INSERT}')`);
    await runner.query(`
      DO $$
      DECLARE adder text;
      BEGIN
        FOR adder IN
          SELECT acl.grantee::regrole::text FROM pg_class, aclexplode(relacl) AS acl
          WHERE pg_class.oid = 'pricing_catalogs'::regclass AND acl.privilege_type = 'INSERT' AND acl.grantee NOT IN (0, relowner)
        LOOP
          EXECUTE format('GRANT UPDATE (withdrawn_at) ON pricing_catalogs TO %s', adder);
        END LOOP;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pricing_catalogs');
  }
}

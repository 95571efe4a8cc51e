import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the versions of the pricing catalog. A version never changes and is never deleted:
 * charges refer to it. The service may add versions and withdraw a staged one. A withdrawn version
 * has no effect from then on. It stays readable by its id, because a replica with a fast clock may
 * have used it.
 *
 * The position orders versions of the same time: baselines of several releases have one date, and
 * two writes can occur in one millisecond.
 */
export class CreatePricingCatalogs implements MigrationInterface {
  readonly name = 'PricesByVersion1763683230000';

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
    // Each admission reads the newest effective version; versions of operators precede baselines.
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

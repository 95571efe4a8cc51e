import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AS_OWNER, addMonthsOf, dropMonthsOf } from './1763683230310-add-retention-of-usage.ts';

/** The columns of a charge in the order of its former table, those of its event first. */
const CHARGE = `event_time, id, event_id, interaction_id, attempt, auth_subject, provider, model, scope, subject_id, charged_usd, basis, usage, charge_period,
  pricing_catalog_id`;

/**
 * Merges each charge into its usage event: an event has at most one charge, and most columns are
 * the same. One table has half as many writes and indexes as two tables. `charges` is a view of the
 * rows with an amount.
 *
 * The payer is known when the event arrives. The amount is unknown while its model has no price:
 * such rows wait, and one function charges them once. The service still has no right to change a
 * row. Charged rows and waiting rows have separate indexes.
 */
export class MergeChargesIntoUsageEvents implements MigrationInterface {
  readonly name = 'ChargesLieWithTheirEvents1763683232700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE usage_events
        ADD COLUMN payer_scope text,
        ADD COLUMN payer_subject_id text COLLATE "C",
        ADD COLUMN charge_period text,
        ADD COLUMN charged_usd numeric(21, 9),
        ADD COLUMN basis text CONSTRAINT usage_events_basis CHECK (basis IN ('reported', 'estimated', 'none')),
        ADD COLUMN usage json,
        ADD COLUMN pricing_catalog_id uuid,
        ADD CONSTRAINT usage_events_charged CHECK (num_nulls(charged_usd, basis, usage, pricing_catalog_id) IN (0, 4))`);
    await runner.query(`
      UPDATE usage_events e SET payer_scope = c.scope, payer_subject_id = c.subject_id, charge_period = c.charge_period, charged_usd = c.charged_usd,
        basis = c.basis, usage = c.usage::json, pricing_catalog_id = c.pricing_catalog_id
      FROM charges c WHERE c.event_time = e.event_time AND c.id = e.id AND c.interaction_id = e.interaction_id`);
    await runner.query(`
      UPDATE usage_events e SET payer_scope = u.payer_scope, payer_subject_id = u.payer_subject_id, charge_period = u.charge_period
      FROM unpriced_events u WHERE u.event_time = e.event_time AND u.event_id = e.id AND u.interaction_id = e.interaction_id`);
    // These rows belong to months whose charges were dropped earlier.
    await runner.query(
      `UPDATE usage_events SET payer_scope = 'user', payer_subject_id = auth_subject, charge_period = 'month' WHERE payer_scope IS NULL`,
    );
    await runner.query(`
      ALTER TABLE usage_events ALTER COLUMN payer_scope SET NOT NULL, ALTER COLUMN payer_subject_id SET NOT NULL, ALTER COLUMN charge_period SET NOT NULL`);
    await runner.query(
      'ALTER TABLE unpriced_events DROP COLUMN payer_scope, DROP COLUMN payer_subject_id, DROP COLUMN charge_period',
    );
    await dropMonthsOf(runner);
    await runner.query('DROP TABLE charges');
    await addMonthsOf(runner, ['usage_events']);
    await this.addIndexes(runner);
    await runner.query(`
      CREATE VIEW charges AS
      SELECT event_time, id, id AS event_id, interaction_id, attempt, auth_subject, provider, model, payer_scope AS scope, payer_subject_id AS subject_id,
        charged_usd, basis, usage, charge_period, pricing_catalog_id
      FROM usage_events WHERE charged_usd IS NOT NULL`);
    await runner.query(`SELECT keep_rights('charges', '{SELECT}')`);
    await this.addCharging(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP FUNCTION charge_waiting_events(timestamptz[], uuid[], text[], numeric[], text[], json, uuid)',
    );
    await dropMonthsOf(runner);
    await runner.query('ALTER VIEW charges RENAME TO charged_events');
    await this.addCharges(runner);
    await addMonthsOf(runner, ['usage_events', 'charges']);
    await runner.query(`
      SELECT ensure_usage_partitions(month::date, month::date)
      FROM (SELECT DISTINCT date_trunc('month', event_time AT TIME ZONE 'UTC') AS month FROM charged_events) AS months`);
    await runner.query(`
      INSERT INTO charges (${CHARGE}) SELECT event_time, id, event_id, interaction_id, attempt, auth_subject, provider, model, scope, subject_id, charged_usd,
        basis, usage::jsonb, charge_period, pricing_catalog_id FROM charged_events`);
    await runner.query('DROP VIEW charged_events');
    await runner.query(
      'ALTER TABLE unpriced_events ADD COLUMN payer_scope text, ADD COLUMN payer_subject_id text COLLATE "C", ADD COLUMN charge_period text',
    );
    await runner.query(`
      UPDATE unpriced_events u SET payer_scope = e.payer_scope, payer_subject_id = e.payer_subject_id, charge_period = e.charge_period
      FROM usage_events e WHERE e.event_time = u.event_time AND e.id = u.event_id AND e.interaction_id = u.interaction_id`);
    await runner.query(`
      ALTER TABLE unpriced_events ALTER COLUMN payer_scope SET NOT NULL, ALTER COLUMN payer_subject_id SET NOT NULL, ALTER COLUMN charge_period SET NOT NULL`);
    // The indexes are dropped with the columns.
    await runner.query(`
      ALTER TABLE usage_events DROP COLUMN payer_scope, DROP COLUMN payer_subject_id, DROP COLUMN charge_period, DROP COLUMN charged_usd, DROP COLUMN basis,
        DROP COLUMN usage, DROP COLUMN pricing_catalog_id`);
    await runner.query('CREATE INDEX usage_events_of_subject ON usage_events (auth_subject, event_time, id)');
    await runner.query('CREATE INDEX usage_events_of_model ON usage_events (model, event_time, id)');
  }

  /** The payer of a row without a payer is its user. */
  private async addIndexes(runner: QueryRunner): Promise<void> {
    for (const name of ['usage_events_of_subject', 'usage_events_of_model']) await runner.query(`DROP INDEX ${name}`);
    for (const [name, columns, rows] of [
      ['charged_of_person', 'auth_subject, payer_scope', 'charged_usd IS NOT NULL'],
      ['charged_of_model', 'model', 'charged_usd IS NOT NULL'],
      ['charged_of_payers', 'payer_scope', 'charged_usd IS NOT NULL'],
      ['charged_of_group', 'payer_subject_id', `charged_usd IS NOT NULL AND payer_scope = 'group'`],
      ['waiting_of_person', 'auth_subject', 'charged_usd IS NULL'],
      ['waiting_of_model', 'model', 'charged_usd IS NULL'],
    ] as const)
      await runner.query(
        `CREATE INDEX usage_events_${name} ON usage_events (${columns}, event_time, id) WHERE ${rows}`,
      );
  }

  /** Adds the only function that changes an event: it sets a missing amount. */
  private async addCharging(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION charge_waiting_events(times timestamptz[], ids uuid[], interactions text[], amounts numeric[], bases text[], usages json, catalog uuid)
      RETURNS integer ${AS_OWNER} AS $$
      DECLARE
        charged integer;
      BEGIN
        UPDATE usage_events e SET charged_usd = c.amount, basis = c.basis, usage = c.usage, pricing_catalog_id = catalog
        FROM ROWS FROM (unnest(times, ids, interactions, amounts, bases), json_array_elements(usages))
          AS c (event_time, id, interaction_id, amount, basis, usage)
        WHERE e.event_time = c.event_time AND e.id = c.id AND e.interaction_id = c.interaction_id AND e.charged_usd IS NULL;
        GET DIAGNOSTICS charged = ROW_COUNT;
        RETURN charged;
      END $$`);
  }

  /** Creates the former table of charges. */
  private async addCharges(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE charges (
        event_time timestamptz(3) NOT NULL,
        id uuid NOT NULL,
        event_id uuid NOT NULL,
        interaction_id text COLLATE "C" NOT NULL,
        attempt integer NOT NULL,
        auth_subject text COLLATE "C" NOT NULL,
        provider text NOT NULL,
        model text COLLATE "C" NOT NULL,
        scope text NOT NULL,
        subject_id text COLLATE "C" NOT NULL,
        charged_usd numeric(21, 9) NOT NULL,
        basis text NOT NULL CONSTRAINT charges_basis CHECK (basis IN ('reported', 'estimated', 'none')),
        usage jsonb NOT NULL,
        charge_period text NOT NULL,
        pricing_catalog_id uuid NOT NULL,
        CONSTRAINT charges_pkey PRIMARY KEY (event_time, id, interaction_id)
      ) PARTITION BY RANGE (event_time)`);
    await runner.query('CREATE INDEX charges_of_subject ON charges (auth_subject, event_time, id)');
    await runner.query('CREATE INDEX charges_of_payer ON charges (subject_id, scope, event_time, id)');
    await runner.query('CREATE INDEX charges_of_model ON charges (model, event_time, id)');
    await runner.query('CREATE INDEX charges_of_scope ON charges (scope, event_time, id)');
    await runner.query('CREATE TABLE charges_other PARTITION OF charges DEFAULT');
    await runner.query(`SELECT keep_rights('charges', '{SELECT,INSERT}')`);
    await runner.query(`SELECT keep_rights('charges_other', '{}')`);
  }
}

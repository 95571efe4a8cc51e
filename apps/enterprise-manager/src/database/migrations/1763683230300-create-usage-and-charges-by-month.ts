import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates usage events and charges, partitioned by month (UTC) of the event, and the claims that
 * make an attempt count once. Claims have no partitions: two reports of one attempt conflict in its
 * key, independent of their times. The service may add and read rows only, and no role has rights
 * on a single month. A charge has the id of its event, so an event cannot have two charges.
 *
 * Times without a partition are in the `_other` partition until their month exists.
 */
export class CreateUsageAndChargesByMonth implements MigrationInterface {
  readonly name = 'UsageAndChargesByMonth1763683230300';

  async up(runner: QueryRunner): Promise<void> {
    await createUsageEvents(runner);
    await createCharges(runner);
    await createUnpricedEvents(runner);
    await restrictMonths(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE unpriced_events');
    await runner.query('DROP TABLE charges');
    await runner.query('DROP TABLE usage_events');
    await runner.query('DROP TABLE usage_claims');
  }
}

/** Creates the claims of attempts and the usage events. */
async function createUsageEvents(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE TABLE usage_claims (
        interaction_id text COLLATE "C" NOT NULL,
        attempt integer NOT NULL,
        event_id uuid NOT NULL,
        event_time timestamptz(3) NOT NULL,
        content_sha256 bytea NOT NULL,
        CONSTRAINT usage_claims_pkey PRIMARY KEY (interaction_id, attempt)
      )`);
  await runner.query('CREATE INDEX usage_claims_by_time ON usage_claims (event_time)');
  await runner.query(`
      CREATE TABLE usage_events (
        event_time timestamptz(3) NOT NULL,
        id uuid NOT NULL,
        interaction_id text COLLATE "C" NOT NULL,
        attempt integer NOT NULL,
        ingest_time timestamptz(3) NOT NULL,
        gateway_id text NOT NULL,
        auth_issuer text NOT NULL,
        auth_subject text COLLATE "C" NOT NULL,
        platform_user_id uuid,
        platform_groups text[] NOT NULL,
        virtual_key_id text,
        reservation_id uuid,
        provider text NOT NULL,
        route text NOT NULL,
        requested_model text NOT NULL,
        model text COLLATE "C" NOT NULL,
        outcome text NOT NULL,
        upstream_status integer NOT NULL,
        duration_ms integer NOT NULL,
        raw_usage json,
        estimated_usage json,
        CONSTRAINT usage_events_pkey PRIMARY KEY (event_time, id, interaction_id)
      ) PARTITION BY RANGE (event_time)`);
  await runner.query('CREATE INDEX usage_events_of_subject ON usage_events (auth_subject, event_time, id)');
  await runner.query('CREATE INDEX usage_events_of_model ON usage_events (model, event_time, id)');
  await runner.query(
    `CREATE INDEX usage_events_not_delivered ON usage_events (outcome, event_time, id) WHERE outcome <> 'delivered'`,
  );
}

/** Creates the charges. */
async function createCharges(runner: QueryRunner): Promise<void> {
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
}

/** Creates the list of events without a price. */
async function createUnpricedEvents(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE TABLE unpriced_events (
        event_time timestamptz(3) NOT NULL,
        event_id uuid NOT NULL,
        interaction_id text COLLATE "C" NOT NULL,
        provider text COLLATE "C" NOT NULL,
        model text COLLATE "C" NOT NULL,
        payer_scope text NOT NULL,
        payer_subject_id text COLLATE "C" NOT NULL,
        charge_period text NOT NULL,
        reserved_usd numeric(21, 9),
        CONSTRAINT unpriced_events_pkey PRIMARY KEY (event_time, event_id, interaction_id)
      )`);
  await runner.query(
    'CREATE INDEX unpriced_events_of_model ON unpriced_events (provider, model, event_time, event_id)',
  );
}

/** Creates the default partitions, and restricts the rights of the service. */
async function restrictMonths(runner: QueryRunner): Promise<void> {
  for (const table of ['usage_events', 'charges']) {
    await runner.query(`CREATE TABLE ${table}_other PARTITION OF ${table} DEFAULT`);
    await runner.query(`SELECT keep_rights('${table}', '{SELECT,INSERT}')`);
    await runner.query(`SELECT keep_rights('${table}_other', '{}')`);
  }
}

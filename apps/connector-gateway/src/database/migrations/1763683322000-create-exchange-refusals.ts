import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores exchanges that a provider refuses until the person signs in or consents there. */
export class CreateExchangeRefusals1763683322000 implements MigrationInterface {
  readonly name = 'CreateExchangeRefusals1763683322000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE exchange_refusals (
        issuer text NOT NULL,
        subject text NOT NULL,
        connector_id text NOT NULL,
        error text NOT NULL,
        refused_at timestamptz(3) NOT NULL,
        CONSTRAINT exchange_refusals_pkey PRIMARY KEY (issuer, subject, connector_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE exchange_refusals');
  }
}

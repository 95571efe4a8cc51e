import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes charges by the kind of payer. Without this index, a list of the rarer kind would read
 * almost all charges.
 */
export class IndexChargesByPayerKind implements MigrationInterface {
  readonly name = 'ChargesByKindOfPayer1763683230410';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX charges_of_scope ON charges (scope, event_time, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX charges_of_scope');
  }
}

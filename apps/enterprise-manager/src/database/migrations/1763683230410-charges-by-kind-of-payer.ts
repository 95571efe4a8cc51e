import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets charges be listed by whether people or groups paid. In a company where nearly everything is
 * paid by the one kind, the other would be looked for in all there is.
 */
export class ChargesByKindOfPayer1763683230410 implements MigrationInterface {
  name = 'ChargesByKindOfPayer1763683230410';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX charges_of_scope ON charges (scope, event_time, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX charges_of_scope');
  }
}

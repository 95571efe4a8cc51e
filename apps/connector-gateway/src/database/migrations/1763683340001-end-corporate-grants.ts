import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the corporate tokens of an ended grant until the provider has revoked them. */
export class EndCorporateGrants1763683340001 implements MigrationInterface {
  readonly name = 'EndCorporateGrants1763683340001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE corporate_grants ADD COLUMN revoke_at timestamptz(3)');
    await runner.query(
      'CREATE INDEX corporate_grants_revocation ON corporate_grants (revoke_at) WHERE revoke_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE corporate_grants DROP COLUMN revoke_at');
  }
}

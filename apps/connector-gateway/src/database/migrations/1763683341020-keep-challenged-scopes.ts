import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the scopes that upstreams required beyond those of a sign-in. */
export class KeepChallengedScopes1763683341020 implements MigrationInterface {
  readonly name = 'KeepChallengedScopes1763683341020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE upstream_tokens ADD COLUMN challenged_scope text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE upstream_tokens DROP COLUMN challenged_scope');
  }
}

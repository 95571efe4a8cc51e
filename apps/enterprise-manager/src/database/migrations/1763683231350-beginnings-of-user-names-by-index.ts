import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets filters find people by the beginning of their user name, whatever the collation of the
 * database: only this order of an index serves LIKE in all of them.
 */
export class BeginningsOfUserNamesByIndex1763683231350 implements MigrationInterface {
  name = 'BeginningsOfUserNamesByIndex1763683231350';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX users_user_name_beginning ON users (issuer, user_name_key text_pattern_ops)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_user_name_beginning');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes user names for searches by prefix. Only this operator class supports LIKE in databases of
 * all collations.
 */
export class IndexPrefixesOfUserNames implements MigrationInterface {
  readonly name = 'BeginningsOfUserNamesByIndex1763683231350';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX users_user_name_beginning ON users (issuer, user_name_key text_pattern_ops)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_user_name_beginning');
  }
}

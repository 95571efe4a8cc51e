import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A person's groups lie all over the table, one on each of its pages; now the index itself names
 * them.
 */
export class GroupsOfPeopleByTheIndexAlone1763683231360 implements MigrationInterface {
  name = 'GroupsOfPeopleByTheIndexAlone1763683231360';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX group_users_of_user_by_group ON group_users (user_id, group_id)');
    await runner.query('DROP INDEX group_users_of_user');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX group_users_of_user ON group_users (user_id)');
    await runner.query('DROP INDEX group_users_of_user_by_group');
  }
}

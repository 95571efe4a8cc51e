import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the groups to the index of memberships by user. The memberships of a user are on many pages
 * of the table; the index contains all columns of the query.
 */
export class CoverGroupsOfUsersByIndex implements MigrationInterface {
  readonly name = 'GroupsOfPeopleByTheIndexAlone1763683231360';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX group_users_of_user_by_group ON group_users (user_id, group_id)');
    await runner.query('DROP INDEX group_users_of_user');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX group_users_of_user ON group_users (user_id)');
    await runner.query('DROP INDEX group_users_of_user_by_group');
  }
}

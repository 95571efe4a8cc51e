import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the members of groups: users and subgroups. Each table is read in both directions, so
 * each has an index for both.
 */
export class CreateGroupMembers implements MigrationInterface {
  readonly name = 'MembersOfGroups1763683202000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE group_users (
        group_id uuid NOT NULL CONSTRAINT group_users_group REFERENCES groups (id) ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT group_users_user REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT group_users_pkey PRIMARY KEY (group_id, user_id)
      )`);
    await runner.query('CREATE INDEX group_users_of_user ON group_users (user_id)');
    await runner.query(`
      CREATE TABLE group_subgroups (
        parent_id uuid NOT NULL CONSTRAINT group_subgroups_parent REFERENCES groups (id) ON DELETE CASCADE,
        child_id uuid NOT NULL CONSTRAINT group_subgroups_child REFERENCES groups (id) ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT group_subgroups_pkey PRIMARY KEY (parent_id, child_id),
        CONSTRAINT group_subgroups_not_itself CHECK (parent_id <> child_id)
      )`);
    await runner.query('CREATE INDEX group_subgroups_of_child ON group_subgroups (child_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE group_subgroups');
    await runner.query('DROP TABLE group_users');
  }
}

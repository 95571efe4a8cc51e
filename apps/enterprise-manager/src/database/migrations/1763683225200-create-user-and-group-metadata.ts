import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the metadata of users and groups: one JSON object each, which is deleted with its user or
 * group.
 */
export class CreateUserAndGroupMetadata implements MigrationInterface {
  readonly name = 'MetadataOfPeopleAndGroups1763683225200';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, entities] of [
      ['user_metadata', 'user_id', 'users'],
      ['group_metadata', 'group_id', 'groups'],
    ] as const) {
      await runner.query(`
        CREATE TABLE ${table} (
          ${column} uuid NOT NULL,
          metadata jsonb NOT NULL,
          created_at timestamptz(3) NOT NULL,
          updated_at timestamptz(3) NOT NULL,
          CONSTRAINT ${table}_pkey PRIMARY KEY (${column}),
          CONSTRAINT ${table}_entity FOREIGN KEY (${column}) REFERENCES ${entities} (id) ON DELETE CASCADE
        )`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE group_metadata, user_metadata');
  }
}

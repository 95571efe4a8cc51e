import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates groups. */
export class CreateGroups implements MigrationInterface {
  readonly name = 'GroupsOfTheDirectory1763683201000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE groups (
        id uuid CONSTRAINT groups_pkey PRIMARY KEY,
        name text NOT NULL,
        display_name text NOT NULL,
        display_name_key text NOT NULL,
        description text NOT NULL,
        source text NOT NULL,
        search_key text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT groups_name_unique UNIQUE (name),
        CONSTRAINT groups_display_name_unique UNIQUE (display_name_key)
      )`);
    await runner.query('CREATE INDEX groups_order ON groups (created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE groups');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the users of the directory. */
export class CreateUsers implements MigrationInterface {
  readonly name = 'PeopleOfTheDirectory1763683200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid CONSTRAINT users_pkey PRIMARY KEY,
        issuer text NOT NULL,
        subject text NOT NULL,
        user_name text NOT NULL,
        user_name_key text NOT NULL,
        email text,
        email_key text,
        display_name text NOT NULL,
        photo_url text,
        source text NOT NULL,
        active boolean NOT NULL,
        search_key text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT users_person_unique UNIQUE (issuer, subject),
        CONSTRAINT users_user_name_unique UNIQUE (issuer, user_name_key) DEFERRABLE INITIALLY DEFERRED
      )`);
    await runner.query('CREATE INDEX users_order ON users (created_at, id)');
    await runner.query('CREATE INDEX users_email ON users (email_key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE users');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the binding keys of users that were removed before their first sign-in. Their subjects are
 * unknown, so a token must not create an entry with their binding key.
 */
export class CreateDepartedBindings implements MigrationInterface {
  readonly name = 'DepartedBeforeTheyCame1763683225500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE departed_bindings (
        issuer text NOT NULL,
        binding_key text NOT NULL,
        departed_at timestamptz(3) NOT NULL,
        CONSTRAINT departed_bindings_pkey PRIMARY KEY (issuer, binding_key)
      )`);
    await runner.query(`
      CREATE FUNCTION remember_departed_bindings() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO departed_bindings (issuer, binding_key, departed_at)
        SELECT DISTINCT issuer, binding_key, now() FROM departed WHERE subject IS NULL AND binding_key IS NOT NULL
        ON CONFLICT (issuer, binding_key) DO UPDATE SET departed_at = excluded.departed_at;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_departed_before_they_came AFTER DELETE ON users REFERENCING OLD TABLE AS departed
      FOR EACH STATEMENT EXECUTE FUNCTION remember_departed_bindings()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER users_departed_before_they_came ON users');
    await runner.query('DROP FUNCTION remember_departed_bindings()');
    await runner.query('DROP TABLE departed_bindings');
  }
}

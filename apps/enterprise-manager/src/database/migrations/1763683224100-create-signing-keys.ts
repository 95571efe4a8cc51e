import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the signing keys of the service. The public half stays as long as a signature needs it.
 * The private half is encrypted in a separate table and is deleted when the key no longer signs.
 * There is at most one next key and one current key.
 */
export class CreateSigningKeys implements MigrationInterface {
  readonly name = 'KeysThatSign1763683224100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signing_keys (
        kid text NOT NULL CONSTRAINT signing_keys_pkey PRIMARY KEY,
        state text NOT NULL CONSTRAINT signing_keys_state CHECK (state IN ('next', 'current', 'previous')),
        x text NOT NULL,
        y text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        activated_at timestamptz(3),
        retired_at timestamptz(3),
        shown_until timestamptz(3)
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX signing_keys_one_of_each ON signing_keys (state) WHERE state <> 'previous'`,
    );
    await runner.query(`
      CREATE TABLE signing_key_secrets (
        id text NOT NULL CONSTRAINT signing_key_secrets_pkey PRIMARY KEY
          CONSTRAINT signing_key_secrets_key REFERENCES signing_keys ON DELETE CASCADE,
        key_version integer NOT NULL,
        wrapped_key bytea NOT NULL,
        ciphertext bytea NOT NULL
      )`);
    await runner.query(`
      CREATE FUNCTION signing_keys_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('signing_keys_changed', '');
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER signing_keys_tell AFTER INSERT OR UPDATE OR DELETE ON signing_keys
      FOR EACH STATEMENT EXECUTE FUNCTION signing_keys_changed()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE signing_key_secrets');
    await runner.query('DROP TABLE signing_keys');
    await runner.query('DROP FUNCTION signing_keys_changed()');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates managed secrets: names as plain text, values encrypted. */
export class CreateManagedSecrets implements MigrationInterface {
  readonly name = 'ManagedSecrets1763683223100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE managed_secrets (
        id uuid NOT NULL CONSTRAINT managed_secrets_pkey PRIMARY KEY,
        name text NOT NULL,
        name_key text NOT NULL,
        version integer NOT NULL,
        key_version integer NOT NULL,
        wrapped_key bytea NOT NULL,
        ciphertext bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT managed_secrets_name_unique UNIQUE (name_key)
      )`);
    await runner.query('CREATE INDEX managed_secrets_order ON managed_secrets (created_at, id)');
    await runner.query('CREATE INDEX managed_secrets_key_version ON managed_secrets (key_version, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE managed_secrets');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Prepares users and groups for provisioning. A user can exist before the first token: without a
 * subject, with the value of the binding claim of the issuer. Users and groups store their SCIM
 * attributes and a version that counts changes.
 */
export class PrepareUsersAndGroupsForScim implements MigrationInterface {
  readonly name = 'ProvisionedPeopleAndGroups1763683220000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ALTER COLUMN subject DROP NOT NULL,
        ADD COLUMN binding_key text,
        ADD COLUMN external_id text,
        ADD COLUMN scim jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN version integer NOT NULL DEFAULT 1,
        ADD CONSTRAINT users_binding_unique UNIQUE (issuer, binding_key)`);
    await runner.query('CREATE INDEX users_of_issuer ON users (issuer, created_at, id)');
    await runner.query('CREATE INDEX users_external_id ON users (issuer, external_id)');
    await runner.query(`
      ALTER TABLE groups
        ADD COLUMN issuer text,
        ADD COLUMN external_id text,
        ADD COLUMN version integer NOT NULL DEFAULT 1`);
    await runner.query('CREATE INDEX groups_of_issuer ON groups (issuer, created_at, id)');
    await runner.query('CREATE INDEX groups_external_id ON groups (issuer, external_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX groups_external_id, groups_of_issuer, users_external_id, users_of_issuer');
    await runner.query('ALTER TABLE groups DROP COLUMN version, DROP COLUMN external_id, DROP COLUMN issuer');
    await runner.query(`
      ALTER TABLE users
        DROP CONSTRAINT users_binding_unique,
        DROP COLUMN version, DROP COLUMN scim, DROP COLUMN external_id, DROP COLUMN binding_key`);
    await runner.query('ALTER TABLE users ALTER COLUMN subject SET NOT NULL');
  }
}

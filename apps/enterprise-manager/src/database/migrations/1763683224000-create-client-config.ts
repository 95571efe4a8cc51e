import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the configuration of clients: one base document and overrides of groups. The deletion of
 * a group deletes its override. Each write sets a random revision, so that caches detect changes,
 * also after a restore.
 */
export class CreateClientConfig implements MigrationInterface {
  readonly name = 'ConfigurationOfClients1763683224000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE client_config (
        only_row boolean NOT NULL CONSTRAINT client_config_pkey PRIMARY KEY CONSTRAINT client_config_once CHECK (only_row),
        revision uuid NOT NULL,
        config jsonb NOT NULL
      )`);
    await runner.query(`INSERT INTO client_config VALUES (TRUE, gen_random_uuid(), '{}')`);
    await runner.query(`
      CREATE TABLE client_config_overrides (
        group_id uuid NOT NULL CONSTRAINT client_config_overrides_pkey PRIMARY KEY
          CONSTRAINT client_config_overrides_group REFERENCES groups ON DELETE CASCADE,
        precedence integer NOT NULL,
        config jsonb NOT NULL,
        CONSTRAINT client_config_overrides_precedence UNIQUE (precedence)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE client_config_overrides');
    await runner.query('DROP TABLE client_config');
  }
}

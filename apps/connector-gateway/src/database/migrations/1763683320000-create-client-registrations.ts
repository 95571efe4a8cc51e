import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the dynamic registrations of the gateway at authorization servers, encrypted. */
export class CreateClientRegistrations1763683320000 implements MigrationInterface {
  readonly name = 'CreateClientRegistrations1763683320000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE client_registrations (
        id text NOT NULL,
        key_version integer NOT NULL,
        wrapped_key bytea NOT NULL,
        ciphertext bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT client_registrations_pkey PRIMARY KEY (id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE client_registrations');
  }
}

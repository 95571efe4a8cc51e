import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets filters of provisioning clients find people by any text among their attributes without
 * reading everybody. Texts are compared without case, so the index holds the attributes in lower
 * case; it has no list of pending entries, which every search would have to read.
 */
export class AttributesOfPeopleByIndex1763683221100 implements MigrationInterface {
  name = 'AttributesOfPeopleByIndex1763683221100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX users_attributes ON users USING gin ((lower(scim::text)::jsonb) jsonb_path_ops) WITH (fastupdate = off)',
    );
    await runner.query(`CREATE INDEX users_not_provisioned ON users (issuer) WHERE source <> 'scim'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_not_provisioned, users_attributes');
  }
}

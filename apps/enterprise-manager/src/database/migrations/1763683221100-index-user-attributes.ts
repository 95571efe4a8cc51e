import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes the attributes of users for SCIM filters. Filters ignore case, so the index contains the
 * attributes in lower case. It has no list of pending entries, because each search would read that
 * list.
 */
export class IndexUserAttributes implements MigrationInterface {
  readonly name = 'AttributesOfPeopleByIndex1763683221100';

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

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates connectors. The slug is part of tool names and the name is shown to users: both are
 * unique in a gateway.
 */
export class CreateConnectors implements MigrationInterface {
  readonly name = 'ConnectorsOfGateways1763683210000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connectors (
        id uuid NOT NULL CONSTRAINT connectors_pkey PRIMARY KEY,
        gateway_id text NOT NULL,
        slug text NOT NULL,
        name text NOT NULL,
        name_key text NOT NULL,
        endpoint text NOT NULL,
        transport text NOT NULL,
        auth jsonb NOT NULL,
        allow_private_ips boolean NOT NULL,
        deployment_mode text NOT NULL,
        origin text NOT NULL,
        description text,
        icon_url text,
        repository_url text,
        support_url text,
        version text,
        source_name text,
        source_namespace text,
        status text NOT NULL,
        status_message text,
        revision integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT connectors_slug_unique UNIQUE (gateway_id, slug),
        CONSTRAINT connectors_name_unique UNIQUE (gateway_id, name_key)
      )`);
    await runner.query('CREATE INDEX connectors_order ON connectors (gateway_id, created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE connectors');
  }
}

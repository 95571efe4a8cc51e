import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the users that have received a secret of a SCIM token: its creator and each user that
 * rotated it. A user has one row for each binding key of the access token at that time. The creator
 * of an older token gets the binding key of the directory entry.
 */
export class CreateScimTokenHolders implements MigrationInterface {
  readonly name = 'HoldersOfScimTokens1763683235100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE scim_token_holders (
        token_id uuid NOT NULL CONSTRAINT scim_token_holders_token REFERENCES scim_tokens ON DELETE CASCADE,
        issuer text NOT NULL,
        subject text NOT NULL,
        binding_key text
      )`);
    await runner.query('CREATE INDEX scim_token_holders_token_id ON scim_token_holders (token_id)');
    // The audit trail contains the users that rotated older tokens.
    await runner.query(`
      INSERT INTO scim_token_holders (token_id, issuer, subject, binding_key)
      SELECT holder.token_id, holder.issuer, holder.subject, u.binding_key
      FROM (
        SELECT id AS token_id, created_by_issuer AS issuer, created_by_subject AS subject FROM scim_tokens
        UNION SELECT t.id, e.issuer, e.subject FROM audit_events e JOIN scim_tokens t ON t.id::text = e.object_id
        WHERE e.operation = 'Rotate SCIM token' AND e.outcome = 'succeeded'
      ) AS holder LEFT JOIN users u ON u.issuer = holder.issuer AND u.subject = holder.subject`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE scim_token_holders');
  }
}

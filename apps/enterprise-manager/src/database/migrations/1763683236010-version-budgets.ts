import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['budgets', 'group_precedences'];
/** The transition table of each event. A transition table belongs to one event. */
const TRANSITION_TABLES = {
  insert: 'NEW TABLE AS changed',
  update: 'NEW TABLE AS changed',
  delete: 'OLD TABLE AS changed',
};

/**
 * Adds a version to the collection of budgets and to the default user budget. Each change takes the
 * next number of a sequence, so that a version is never used again: a budget that is changed and
 * changed back has a new version. Triggers count, because the deletion of a group deletes its
 * budgets.
 */
export class VersionBudgets implements MigrationInterface {
  readonly name = 'VersionBudgets1763683236010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SEQUENCE budget_versions');
    await runner.query(`
      CREATE TABLE budgets_version (
        only_row boolean NOT NULL DEFAULT TRUE CONSTRAINT budgets_version_pkey PRIMARY KEY CONSTRAINT budgets_version_once CHECK (only_row),
        version bigint NOT NULL DEFAULT nextval('budget_versions')
      )`);
    await runner.query('INSERT INTO budgets_version DEFAULT VALUES');
    await runner.query(`
      CREATE FUNCTION count_budgets_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM changed) THEN UPDATE budgets_version SET version = nextval('budget_versions'); END IF;
        RETURN NULL;
      END $$`);
    for (const table of TABLES)
      for (const [event, changed] of Object.entries(TRANSITION_TABLES))
        await runner.query(`
          CREATE TRIGGER ${table}_${event}_counts_version AFTER ${event.toUpperCase()} ON ${table} REFERENCING ${changed}
          FOR EACH STATEMENT EXECUTE FUNCTION count_budgets_version()`);
    await runner.query(
      `ALTER TABLE default_user_budget ADD COLUMN version bigint NOT NULL DEFAULT nextval('budget_versions')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE default_user_budget DROP COLUMN version');
    for (const table of TABLES)
      for (const event of Object.keys(TRANSITION_TABLES))
        await runner.query(`DROP TRIGGER ${table}_${event}_counts_version ON ${table}`);
    await runner.query('DROP FUNCTION count_budgets_version()');
    await runner.query('DROP TABLE budgets_version');
    await runner.query('DROP SEQUENCE budget_versions');
  }
}

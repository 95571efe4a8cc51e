import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the requests to check all cells again. A threshold can be reached without new usage: when a
 * limit is set or lowered, or when a user loses an own limit and the default limit applies. One row
 * counts the requests (`asked`) and the completed checks (`done`). Each such change adds a request
 * in its transaction. The deletion of a group budget adds none, because it removes a limit. So
 * deletions of groups do not wait for each other.
 */
export class CreateBudgetAlertLooks implements MigrationInterface {
  readonly name = 'LooksAtAllBudgets1763683231200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE budget_alert_looks (
        only_row boolean NOT NULL DEFAULT TRUE CONSTRAINT budget_alert_looks_pkey PRIMARY KEY CONSTRAINT budget_alert_looks_once CHECK (only_row),
        asked bigint NOT NULL DEFAULT 0,
        done bigint NOT NULL DEFAULT 0,
        taken_until timestamptz(3)
      )`);
    await runner.query('INSERT INTO budget_alert_looks DEFAULT VALUES');
    await runner.query(`
      CREATE FUNCTION limits_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM changed WHERE to_jsonb(changed) ->> 'scope' IS DISTINCT FROM 'group' OR TG_OP <> 'DELETE')
           AND EXISTS (SELECT FROM budget_alerts WHERE enabled) THEN
          UPDATE budget_alert_looks SET asked = asked + 1;
        END IF;
        RETURN NULL;
      END $$`);
    for (const table of ['budgets', 'default_user_budget'])
      for (const [event, rows] of [
        ['insert', 'NEW'],
        ['update', 'NEW'],
        ['delete', 'OLD'],
      ])
        await runner.query(`
          CREATE TRIGGER ${table}_${event}_limits AFTER ${event} ON ${table} REFERENCING ${rows} TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION limits_changed()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['budgets', 'default_user_budget'])
      for (const event of ['insert', 'update', 'delete'])
        await runner.query(`DROP TRIGGER ${table}_${event}_limits ON ${table}`);
    await runner.query('DROP FUNCTION limits_changed()');
    await runner.query('DROP TABLE budget_alert_looks');
  }
}

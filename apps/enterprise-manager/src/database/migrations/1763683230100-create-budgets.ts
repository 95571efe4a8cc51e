import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates budgets of users and groups. The deletion of a group deletes its budget, not its spend.
 * Subjects are compared byte by byte (collation C), so that a prefix is a range of the index. The
 * key has the order of the lists of budgets.
 */
export class CreateBudgets implements MigrationInterface {
  readonly name = 'BudgetsOfPeopleAndGroups1763683230100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE budgets (
        subject_id text COLLATE "C" NOT NULL,
        scope text NOT NULL CONSTRAINT budgets_scope CHECK (scope IN ('user', 'group')),
        period text NOT NULL CONSTRAINT budgets_period CHECK (period IN ('day', 'month', 'year')),
        limit_usd numeric(21, 9) NOT NULL CONSTRAINT budgets_limit CHECK (limit_usd >= 0),
        CONSTRAINT budgets_pkey PRIMARY KEY (scope, subject_id, period)
      )`);
    await runner.query(`
      CREATE TABLE group_precedences (
        subject_id text COLLATE "C" NOT NULL CONSTRAINT group_precedences_pkey PRIMARY KEY,
        precedence integer NOT NULL CONSTRAINT group_precedences_positive CHECK (precedence >= 1)
      )`);
    await runner.query(`
      CREATE TABLE default_user_budget (
        only_row boolean NOT NULL DEFAULT TRUE CONSTRAINT default_user_budget_pkey PRIMARY KEY CONSTRAINT default_user_budget_once CHECK (only_row),
        period text NOT NULL CONSTRAINT default_user_budget_period CHECK (period IN ('day', 'month', 'year')),
        limit_usd numeric(21, 9) NOT NULL CONSTRAINT default_user_budget_limit CHECK (limit_usd >= 0)
      )`);
    await runner.query(`
      CREATE FUNCTION group_deleted_budgets() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM budgets WHERE scope = 'group' AND subject_id = OLD.id::text;
        DELETE FROM group_precedences WHERE subject_id = OLD.id::text;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER groups_delete_budgets AFTER DELETE ON groups
      FOR EACH ROW EXECUTE FUNCTION group_deleted_budgets()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER groups_delete_budgets ON groups');
    await runner.query('DROP FUNCTION group_deleted_budgets()');
    await runner.query('DROP TABLE default_user_budget');
    await runner.query('DROP TABLE group_precedences');
    await runner.query('DROP TABLE budgets');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns whose change sets a limit, by table. */
const LIMITS = { budgets: 'limit_usd', default_user_budget: 'limit_usd, period' };
/** Operations of the audit trail that set a limit. */
const OPERATIONS = `'Set budgets', 'Put user budget', 'Put group budget', 'Put default user budget'`;

/**
 * Adds the time at which each limit was set, and the time at which a user last lost an own limit.
 * Before that time, the default user budget did not apply to that user. Late usage of an ended
 * window is compared only with limits that were set before its end. Existing limits get the time of
 * their newest audit event, or else the time of this migration. Triggers set the times, so that
 * replicas of the previous release set them too.
 */
export class StoreTimesOfLimits implements MigrationInterface {
  readonly name = 'KeepTimesOfLimits1763683240100';

  async up(runner: QueryRunner): Promise<void> {
    // The audit trail can be large, so it is read before a table of limits is locked.
    await runner.query(`
      CREATE TEMPORARY TABLE limit_times AS
      SELECT CASE WHEN e.object_kind = 'default_user_budget' THEN NULL ELSE changed.name END AS name, max(e.occurred_at) AS set_at
      FROM audit_events e LEFT JOIN LATERAL unnest(e.changed_fields) AS changed (name) ON TRUE
      WHERE e.operation IN (${OPERATIONS}) AND e.outcome = 'succeeded'
      GROUP BY 1`);
    for (const table of Object.keys(LIMITS))
      await runner.query(`ALTER TABLE ${table} ADD COLUMN set_at timestamptz(3) NOT NULL DEFAULT now()`);
    // The triggers would count versions and request a check of all cells. No limit changes here.
    for (const table of Object.keys(LIMITS)) await runner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await runner.query(`
      UPDATE budgets b SET set_at = times.set_at FROM limit_times times WHERE times.name = b.scope || 's/' || b.subject_id || '/' || b.period`);
    await runner.query(`
      UPDATE default_user_budget SET set_at = COALESCE((SELECT set_at FROM limit_times WHERE name IS NULL), default_user_budget.set_at)`);
    await runner.query('DROP TABLE limit_times');
    for (const table of Object.keys(LIMITS)) await runner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await runner.query(`
      CREATE FUNCTION keep_time_of_limit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.set_at := now();
        RETURN NEW;
      END $$`);
    for (const [table, columns] of Object.entries(LIMITS)) {
      const values = (row: string) => columns.replaceAll(/\w+/g, (column) => `${row}.${column}`);
      await runner.query(`
        CREATE TRIGGER ${table}_keep_time_of_limit BEFORE UPDATE OF ${columns} ON ${table}
        FOR EACH ROW WHEN ((${values('OLD')}) IS DISTINCT FROM (${values('NEW')})) EXECUTE FUNCTION keep_time_of_limit()`);
    }
    await runner.query(`
      CREATE TABLE removed_user_budgets (
        subject_id text COLLATE "C" NOT NULL,
        period text NOT NULL,
        removed_at timestamptz(3) NOT NULL,
        CONSTRAINT removed_user_budgets_pkey PRIMARY KEY (subject_id, period)
      )`);
    await runner.query('CREATE INDEX removed_user_budgets_removed_at ON removed_user_budgets (removed_at)');
    // Late usage raises alerts for 90 days after the end of its window. Older removals are not
    // needed.
    await runner.query(`
      CREATE FUNCTION keep_removed_user_budgets() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM removed_user_budgets WHERE removed_at < now() - interval '91 days';
        INSERT INTO removed_user_budgets (subject_id, period, removed_at)
        SELECT subject_id, period, now() FROM removed WHERE scope = 'user'
        ON CONFLICT (subject_id, period) DO UPDATE SET removed_at = EXCLUDED.removed_at;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER budgets_keep_removed AFTER DELETE ON budgets REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION keep_removed_user_budgets()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER budgets_keep_removed ON budgets');
    await runner.query('DROP FUNCTION keep_removed_user_budgets()');
    await runner.query('DROP TABLE removed_user_budgets');
    for (const table of Object.keys(LIMITS)) {
      await runner.query(`DROP TRIGGER ${table}_keep_time_of_limit ON ${table}`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN set_at`);
    }
    await runner.query('DROP FUNCTION keep_time_of_limit()');
  }
}

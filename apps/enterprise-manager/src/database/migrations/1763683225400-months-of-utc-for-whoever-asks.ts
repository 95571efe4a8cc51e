import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Functions of the owner that anybody of the service can call. */
const FUNCTIONS = [
  'ensure_audit_partitions(date, date)',
  'drop_expired_audit_partitions()',
  'ensure_tool_call_partitions(date, date)',
];

/**
 * Fixes the time zone and the way of writing times in which months are bounded. They were those of
 * the caller's session, and a zone that calls itself UTC and is not would have moved the bounds of
 * a month by days: its events would have ended with the month before.
 */
export class MonthsOfUtcForWhoeverAsks1763683225400 implements MigrationInterface {
  name = 'MonthsOfUtcForWhoeverAsks1763683225400';

  async up(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) {
      await runner.query(`ALTER FUNCTION ${name} SET TimeZone = 'UTC'`);
      await runner.query(`ALTER FUNCTION ${name} SET DateStyle = 'ISO, YMD'`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) {
      await runner.query(`ALTER FUNCTION ${name} RESET TimeZone`);
      await runner.query(`ALTER FUNCTION ${name} RESET DateStyle`);
    }
  }
}

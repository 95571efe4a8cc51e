import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Functions that run with the rights of the database owner. The service can call them. */
const FUNCTIONS = [
  'ensure_audit_partitions(date, date)',
  'drop_expired_audit_partitions()',
  'ensure_tool_call_partitions(date, date)',
];

/**
 * Sets the time zone and the date style of the functions that create partitions. They used the
 * settings of the session. In a session with another definition of the zone UTC, the bounds of a
 * month would move, and its events would be dropped with the previous month.
 */
export class FixTimeZoneOfPartitionFunctions implements MigrationInterface {
  readonly name = 'MonthsOfUtcForWhoeverAsks1763683225400';

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

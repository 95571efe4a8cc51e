import { type HomePaths, readIfThere, replaceFile } from '../home.ts';

/** What the keeper says about the server it keeps. */
export interface PostgresReport {
  /** Process id of the keeper that wrote this. */
  keeper: number;
  /** Process id of the supervisor it belongs to. */
  supervisor: number;
  /** Process id and port of the server. */
  server: number;
  port: number;
}

export function writeReport(paths: HomePaths, report: PostgresReport): void {
  replaceFile(paths.postgresReport, `${JSON.stringify(report)}\n`);
}

export function readReport(paths: HomePaths): PostgresReport | undefined {
  const text = readIfThere(paths.postgresReport);
  return text === undefined ? undefined : (JSON.parse(text) as PostgresReport);
}

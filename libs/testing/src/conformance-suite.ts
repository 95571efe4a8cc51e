import { runProcess } from './process.ts';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A check of a scenario, as the suite reports it. */
export interface Check {
  id: string;
  name: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
  details?: Record<string, unknown>;
}

/** The protocol revisions that the scenarios run at, and the extensions of the newest. */
export const revisions = ['2025-11-25', '2026-07-28', 'extension'] as const;

/** One of the revisions. */
export type Revision = (typeof revisions)[number];

/** Limit of one scenario. The slowest takes 6 s on an idle machine. */
const SCENARIO_MS = 30_000;

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

const runProgram = (args: readonly string[]) => runProcess({ command: [process.execPath, program, ...args] });

/** Lists the server scenarios of each revision. */
export async function listScenarios(): Promise<Record<Revision, string[]>> {
  const { stdout } = await runProgram(['list', '--server']);
  const scenarios = [...stdout.matchAll(/^ +- (\S+) \[(.*)\]$/gm)];
  const listOf = (revision: Revision) =>
    scenarios.filter(([, , names]) => names!.split(',').includes(revision)).map(([, name]) => name!);
  return Object.fromEntries(revisions.map((one) => [one, listOf(one)])) as Record<Revision, string[]>;
}

/**
 * Runs scenarios of a revision against a server.
 * @param scenario runs this one only
 * @returns the checks by scenario, without the scenarios that did not end
 */
export async function runScenarios(url: string, revision: Revision, scenario?: string): Promise<Map<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-conformance-'));
  // The scenarios of extensions have no revision of their own and belong to the suite `pending`.
  const selection = [
    ...(revision === 'extension' ? [] : ['--spec-version', revision]),
    ...(scenario === undefined ? ['--suite', revision === 'extension' ? 'pending' : 'all'] : ['--scenario', scenario]),
  ];
  try {
    const options = ['--output-dir', folder, '--timeout', String(SCENARIO_MS)];
    const { stdout, stderr } = await runProgram(['server', '--url', url, ...selection, ...options]);
    const checks = new Map(readdirSync(folder).flatMap((name) => readResult(folder, name)));
    // A single scenario can miss its time limit; a whole suite has results.
    if (checks.size === 0 && scenario === undefined)
      throw new Error(`the suite ended without a result: ${stdout}${stderr}`);
    return checks;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the result of a scenario from its folder `server-<scenario>-<time>`. */
function readResult(folder: string, name: string): [string, Check[]][] {
  const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(name)?.[1];
  const file = join(folder, name, 'checks.json');
  if (scenario === undefined || !existsSync(file)) return [];
  return [[scenario, JSON.parse(readFileSync(file, 'utf8')) as Check[]]];
}

/** Lists the checks that did not succeed. */
export function listProblems(checks: readonly Check[] | undefined): string[] {
  if (checks === undefined) return ['the scenario did not end'];
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ status, id, errorMessage }) => `${status} ${id}: ${errorMessage ?? ''}`);
}

/**
 * Compares a run through the gateway with a direct one, check by check. The status INFO notes a
 * difference that the specification allows.
 * @returns what is worse through the gateway
 */
export function compareChecks(direct: readonly Check[] = [], through: readonly Check[] | undefined): string[] {
  const problems = listProblems(through);
  if (through === undefined || through.some(isPlainAnswer)) return problems;
  const remaining = [...through];
  for (const { id, name, status } of direct) {
    if (status !== 'SUCCESS') continue;
    const at = remaining.findIndex((check) => check.id === id && check.name === name);
    const [found] = at === -1 ? [] : remaining.splice(at, 1);
    if (found === undefined || found.status === 'SKIPPED') problems.push(`no result of ${id}`);
  }
  return problems;
}

/** Whether a check notes plain JSON as the answer, to which the checks of streams do not apply. */
const isPlainAnswer = ({ id, status }: Check): boolean => id === 'server-sse-content-type' && status === 'INFO';

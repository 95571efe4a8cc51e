import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fromRoot } from './services.ts';

const DATA = 'tools/contracts/run-conflicts.txt';
const TESTS = ['run', 'run-proxy', 'run-remote'].map((name) => `apps/cli/src/commands/${name}.test.ts`);

/** Flags of `run` that contradict others. */
interface Conflict {
  readonly flags: readonly string[];
  readonly others: string;
  readonly effect: string;
}

const readConflicts = (): Conflict[] =>
  readFileSync(fromRoot(DATA), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [flags = '', others = '', effect = ''] = line.split(' | ');
      return { flags: flags.split(', '), others, effect };
    });

/**
 * Returns the problems of run-conflicts.txt: one sentence each.
 * @param known the flags of `run`
 */
export function checkConflicts(known: ReadonlySet<string>): string[] {
  const tests = TESTS.map((path) => readFileSync(fromRoot(path), 'utf8')).join('\n');
  return readConflicts().flatMap(({ flags }) =>
    flags.flatMap((flag) => [
      ...(known.has(flag) ? [] : [`${DATA}: --${flag} is not a flag of run`]),
      ...(tests.includes(`--${flag}`) ? [] : [`${DATA}: none of ${TESTS.join(', ')} names --${flag}`]),
    ]),
  );
}

/** Returns the section of docs/run-flags.md about conflicts. */
export function describeConflicts(): string {
  const rows = readConflicts().map(
    ({ flags, others, effect }) => `| ${flags.map((flag) => `\`--${flag}\``).join(', ')} | ${others} | ${effect} |`,
  );
  return `## Flags that contradict each other

A refused command line ends with the exit code 2 before anything starts (${TESTS.map((path) => `[${basename(path)}](../${path})`).join(', ')}).

| Flags | Together with | Effect |
| --- | --- | --- |
${rows.join('\n')}
`;
}

import { existsSync, readFileSync } from 'node:fs';
import { checkConflicts, describeConflicts } from './run-conflicts.ts';
import { fromRoot } from './services.ts';

/** One flag of `run`, from run-flags.txt. `-` in that file is an empty text here. */
interface FlagRow {
  section: string;
  flag: string;
  /** A type of document 3. */
  type: string;
  /** The default of document 3. */
  agreed: string;
  /** The default that `run` shows. */
  shown: string;
  part: string;
  validation: string;
  /** The test that uses the flag. */
  test: string;
  /** The test that refuses wrong values. */
  refusal: string;
}

/** A flag in the manifest of oclif. */
interface BuiltFlag {
  type: 'boolean' | 'option';
  char?: string;
  description?: string;
  multiple?: boolean;
}

const DATA = 'tools/contracts/run-flags.txt';
/** The flags of each part of document 3. */
const COUNTS: Readonly<Record<string, number>> = { '1': 28, '2': 63 };
/** Flags that every command has. */
const COMMON = new Set(['json', 'debug', 'help']);

function readRows(): FlagRow[] {
  const rows: FlagRow[] = [];
  let section = '';
  for (const line of readFileSync(fromRoot(DATA), 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3);
    else if (line !== '' && !line.startsWith('#')) {
      const cells = line.split(' | ').map((cell) => (cell === '-' ? '' : cell));
      const [flag = '', type = '', defaults = '', part = '', validation = '', test = '', refusal = ''] = cells;
      const [agreed = '', shown = agreed] = defaults.split(' => ').map((cell) => (cell === '-' ? '' : cell));
      rows.push({ section, flag, type, agreed, shown, part, validation, test, refusal });
    }
  }
  return rows;
}

function readBuiltFlags(): Map<string, BuiltFlag> {
  const manifest = JSON.parse(readFileSync(fromRoot('apps/cli/oclif.manifest.json'), 'utf8')) as {
    commands: { run: { flags: Record<string, BuiltFlag> } };
  };
  return new Map(Object.entries(manifest.commands.run.flags).filter(([name]) => !COMMON.has(name)));
}

/** Returns the problems of run-flags.txt: one sentence each. */
export function checkRunFlags(): string[] {
  const rows = readRows();
  const built = readBuiltFlags();
  const names = rows.map(({ flag }) => flag);
  const counts = Object.entries(COUNTS).flatMap(([part, count]) => {
    const found = rows.filter((row) => row.part === part).length;
    return found === count ? [] : [`${found} lines of part ${part}, which has ${count} flags`];
  });
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  const missing = [...built.keys()].filter((name) => !names.includes(name));
  return [
    ...counts,
    ...repeated.map((name) => `--${name} has two lines`),
    ...missing.map((name) => `--${name} of run has no line: add one with its test`),
    ...rows.flatMap((row) => {
      const flag = built.get(row.flag);
      return flag === undefined ? [] : checkRow(row, flag).map((problem) => `--${row.flag} ${problem}`);
    }),
  ]
    .map((problem) => `${DATA}: ${problem}`)
    .concat(checkConflicts(new Set(built.keys())));
}

function checkRow({ type, shown, part, validation, test, refusal, flag }: FlagRow, built: BuiltFlag): string[] {
  const text =
    /[(; ]default: ([^)]*)\)/.exec(built.description ?? '')?.[1] ?? (built.type === 'boolean' ? 'false' : '');
  const isShown = text === shown || text.startsWith(`${shown};`);
  return [
    ...(isShown ? [] : [`has the default ${JSON.stringify(shown)}, and run shows ${JSON.stringify(text)}`]),
    ...((type === 'boolean') === (built.type === 'boolean') ? [] : [`has the type ${type}, and run has another one`]),
    ...(/^string(Array|s)$/.test(type) === (built.multiple ?? false) ? [] : ['may be repeated in one place only']),
    ...(test === '' ? ['has no test: name the test that shows it'] : checkTest(flag, test)),
    ...(part !== '2' && /: refuses /.test(test) ? ['has a refusal as its test: name a test that uses it'] : []),
    ...(refusal === '' ? [] : checkTest(flag, refusal)),
    ...(part !== '2' && validation !== '' && refusal === ''
      ? ['has a validation and no test that refuses a wrong value']
      : []),
  ];
}

/** Checks that the test exists, and that its file names the flag or its field. */
function checkTest(flag: string, test: string): string[] {
  const [, path = '', title = ''] = /^(\S+\.test\.ts): (.+)$/.exec(test) ?? [];
  if (path === '' || !existsSync(fromRoot(path))) return [`names a test that does not exist: ${test}`];
  const text = readFileSync(fromRoot(path), 'utf8');
  if (!text.includes(`'${title}'`)) return [`names a test that ${path} does not have: ${title}`];
  const field = flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return text.includes(flag) || text.includes(field) ? [] : [`is not in the file of its test: ${path}`];
}

const HEADER = `# Flags of gatehouse run

\`npm run contracts\` writes this file from \`${DATA}\` and the flags of \`gatehouse run\`; \`npm run check:contracts\` fails when a flag of \`run\` lacks its line or its tests, and when a default differs. The specification of \`run\` (document 3) has 91 flags: 28 of part 1 (source, workload, transport), and 63 of part 2 (tool filters, SSE, authentication, telemetry, remote servers).
`;

/** Returns docs/run-flags.md. */
export function describeRunFlags(): string {
  const rows = readRows();
  const built = readBuiltFlags();
  const sections = [...new Set(rows.map(({ section }) => section))].map((section) => {
    const lines = rows.filter((row) => row.section === section).map((row) => formatRow(row, built.get(row.flag)));
    return `## ${section}\n\n| Flag | Type | Default | Validation | Part | Test | Refusal |\n| --- | --- | --- | --- | --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  const count = (part: string) => rows.filter((row) => row.part === part && built.has(row.flag)).length;
  const counts = `Built: ${count('1')} of 28 flags of part 1, and ${count('2')} of 63 flags of part 2. Planned flags have no test.\n`;
  return [HEADER, counts, ...sections, describeConflicts()].join('\n');
}

function formatRow(
  { flag, type, agreed, shown, part, validation, test, refusal }: FlagRow,
  built: BuiltFlag | undefined,
): string {
  const name = `\`${built?.char === undefined ? '' : `-${built.char}, `}--${flag}\``;
  const differs = built !== undefined && shown !== agreed && agreed !== '';
  const defaults = built === undefined ? agreed : differs ? `${shown} (document 3: ${agreed})` : shown;
  const cells = [
    name,
    type,
    defaults,
    validation,
    part,
    ...(built === undefined ? ['planned', ''] : [test, refusal].map(formatTest)),
  ];
  return `| ${cells.map((cell) => (cell === '' ? '–' : cell.replaceAll('|', '\\|'))).join(' | ')} |`;
}

function formatTest(test: string): string {
  if (test === '') return '';
  const [, path, title = ''] = /^(\S+): (.+)$/.exec(test) ?? [];
  return path === undefined ? 'missing' : `[${title}](../${path})`;
}

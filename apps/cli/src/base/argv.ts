import { type CliError, UsageError } from '../errors/cli-error.ts';
import { nearest } from '../errors/nearest.ts';

/** The arguments before the first `--`, and the unchanged arguments after it. */
export function splitArguments(argv: readonly string[]): { own: string[]; passed: string[] } {
  const at = argv.indexOf('--');
  return at === -1 ? { own: [...argv], passed: [] } : { own: argv.slice(0, at), passed: argv.slice(at + 1) };
}

/**
 * Adds the forms `--flag=true` and `--flag=false` of boolean flags, because the parser reads both
 * as true. A false flag is left out, or written `--no-flag` when it is on by default.
 * @param letters the one-letter forms of boolean flags
 * @param negatable the boolean flags with a form `--no-flag`
 * @throws UsageError for any other value
 */
export function spellBooleans(
  argv: readonly string[],
  booleans: ReadonlySet<string>,
  letters: ReadonlySet<string> = new Set(),
  negatable: ReadonlySet<string> = new Set(),
): string[] {
  return argv.flatMap((word) => {
    // The parser would read `-f=false` as the flags `-f`, `-=`, `-f`, `-a` and so on.
    if (/^-[A-Za-z]=/.test(word) && letters.has(word.charAt(1))) {
      throw new UsageError(`${word}: the flag -${word.charAt(1)} takes no value`, [
        `-${word.charAt(1)}   without a value`,
      ]);
    }
    const [, name, value] = /^--([A-Za-z0-9-]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || !booleans.has(name)) return [word];
    if (value === 'true' || value === '1') return [`--${name}`];
    if (value === 'false' || value === '0') return negatable.has(name) ? [`--no-${name}`] : [];
    throw new UsageError(`--${name}=${value ?? ''} must be true or false`);
  });
}

/**
 * Rejects a flag in the place of another flag's value (`--name --json`): the value is missing. A
 * value that begins with a hyphen is written after `=`.
 * @param valued the flags that take a value, as the user types them (`--name`, `-e`)
 * @param known all flags of the command by name
 * @throws UsageError that names both flags
 */
export function requireValues(argv: readonly string[], valued: ReadonlySet<string>, known: ReadonlySet<string>): void {
  for (let index = 0; index < argv.length; index += 1) {
    const flag = argv[index] ?? '';
    if (!valued.has(flag)) continue;
    index += 1;
    const next = /^--([^=]+)/.exec(argv[index] ?? '')?.[1];
    if (next !== undefined && known.has(next)) {
      throw new UsageError(`${flag} expects a value, and the flag --${next} follows`, [
        `${flag.startsWith('--') ? `${flag}=` : flag}--${next}   if that is the value`,
      ]);
    }
  }
}

/**
 * The error for words that are not a command.
 * @param words the typed words, one for each level
 * @param commands all commands; `:` joins their levels
 */
export function unknownCommand(words: readonly string[], commands: readonly string[]): CliError {
  let known = 0;
  const begins = (count: number) => (name: string) => `${name}:`.startsWith(`${words.slice(0, count).join(':')}:`);
  while (known < words.length && commands.some(begins(known + 1))) known += 1;
  const said = ['gatehouse', ...words.slice(0, known)].join(' ');
  const word = words[known] ?? '';
  if (commands.includes(words.slice(0, known).join(':'))) {
    return new UsageError(`Unexpected argument: ${word}`, [`${said} --help`]);
  }
  const next = known === 0 ? commands : commands.filter(begins(known));
  const near = nearest(word, [...new Set(next.map((name) => name.split(':')[known] ?? ''))]);
  return new UsageError(`Unknown command '${words.slice(0, known + 1).join(' ')}'`, [
    ...(near === undefined ? [] : [`${said} ${near}`]),
    `${said} --help   lists the commands`,
  ]);
}

/**
 * The error for flags that a command does not have.
 * @param passesOn whether the command passes arguments on to a server
 */
export function unknownFlags(flags: readonly string[], known: readonly string[], passesOn: boolean): CliError {
  const named = flags.map((flag) => flag.replace(/=.*$/s, ''));
  const meant = named.flatMap((flag) => {
    const near = flag.startsWith('--') ? nearest(flag.slice(2), known) : undefined;
    return near === undefined ? [] : [`--${near}   instead of ${flag}`];
  });
  const what = named.length === 1 ? `Unknown flag ${named[0] ?? ''}` : `Unknown flags ${named.join(', ')}`;
  return new UsageError(what, [
    ...meant,
    ...(passesOn ? ['arguments for the server come after --'] : []),
    '--help   lists the flags',
  ]);
}

/** A command in the manifest of oclif. */
interface ManifestCommand {
  readonly summary?: string;
  readonly hidden?: boolean;
  readonly flags?: Readonly<Record<string, ManifestFlag>>;
}

interface ManifestFlag {
  readonly type: string;
  readonly char?: string;
  readonly description?: string;
  readonly options?: readonly string[];
}

/** The commands by id; `:` joins their levels. */
export type ManifestCommands = Readonly<Record<string, ManifestCommand>>;

/** Names that candidates come from. */
export type NameKind = 'workload' | 'group' | 'server' | 'setting';

/** One candidate of a completion. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** The commands with names as arguments. */
const ARGUMENTS: Readonly<Record<string, NameKind>> = {
  ...{ start: 'workload', stop: 'workload', rm: 'workload', logs: 'workload', status: 'workload', export: 'workload' },
  ...{ 'group:rm': 'group', run: 'server', 'registry:info': 'server' },
  ...{ 'settings:get': 'setting', 'settings:set': 'setting', 'settings:unset': 'setting' },
};

/**
 * Finds the candidates for the last word.
 * @param words the words after `gatehouse`; the last one is incomplete
 * @param list returns the names of a kind
 */
export async function complete(
  words: readonly string[],
  commands: ManifestCommands,
  list: (kind: NameKind) => Promise<readonly string[]>,
): Promise<Candidate[]> {
  // bash divides --flag=value into three words.
  const all = words.filter((word, index) => word !== '=' || index === words.length - 1);
  const last = all.at(-1) ?? '';
  const partial = last === '=' ? '' : last;
  const before = all.slice(0, -1);
  if (before.includes('--')) return [];
  const id = findCommand(before, commands);
  const flags = commands[id]?.flags ?? {};
  const valued = findValuedFlag(before.at(-1) ?? '', flags);
  const matches = ({ value }: Candidate): boolean => value.startsWith(partial);
  if (valued !== undefined) {
    const [name, { options }] = valued;
    const values = options ?? (name === 'group' && !id.startsWith('admin') ? await list('group') : []);
    return values.map((value) => ({ value, description: '' })).filter(matches);
  }
  if (partial.startsWith('-'))
    return Object.entries(flags)
      .map(([name, { description = '' }]) => ({ value: `--${name}`, description }))
      .filter(matches);
  const next = listSubcommands(id, commands);
  const kind = Object.hasOwn(ARGUMENTS, id) ? ARGUMENTS[id] : undefined;
  if (next.length > 0 || kind === undefined) return next.filter(matches);
  return (await list(kind)).map((value) => ({ value, description: kind })).filter(matches);
}

/** The id of the command that words begin with; '' for none. */
function findCommand(words: readonly string[], commands: ManifestCommands): string {
  let id = '';
  for (const word of words) {
    const longer = id === '' ? word : `${id}:${word}`;
    if (!Object.hasOwn(commands, longer) && !Object.keys(commands).some((known) => known.startsWith(`${longer}:`)))
      break;
    id = longer;
  }
  return id;
}

/** The flag whose value follows a word. */
function findValuedFlag(
  word: string,
  flags: Readonly<Record<string, ManifestFlag>>,
): [string, ManifestFlag] | undefined {
  return Object.entries(flags).find(
    ([name, { type, char }]) =>
      type === 'option' && (word === `--${name}` || (char !== undefined && word === `-${char}`)),
  );
}

function listSubcommands(id: string, commands: ManifestCommands): Candidate[] {
  const prefix = id === '' ? '' : `${id}:`;
  const found = new Map<string, string>();
  for (const [known, { summary = '', hidden }] of Object.entries(commands)) {
    if (hidden === true || !known.startsWith(prefix)) continue;
    const [word = '', ...deeper] = known.slice(prefix.length).split(':');
    if (!found.has(word)) found.set(word, deeper.length === 0 ? summary : '');
  }
  return [...found]
    .map(([value, description]) => ({ value, description }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}

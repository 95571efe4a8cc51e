import { Command, Flags, type Interfaces } from '@oclif/core';
import { requireValues, spellBooleans, splitArguments, unknownFlags } from './argv.ts';
import { InterruptedError } from '../errors/cli-error.ts';
import { Output, printable } from '../terminal/output.ts';

/** The parsed command line: flags and arguments by name, and all positional words in order. */
interface Typed<C extends typeof Command> {
  readonly flags: Interfaces.InferredFlags<C['flags'] & C['baseFlags']>;
  readonly args: Interfaces.InferredArgs<C['args']>;
  readonly names: readonly string[];
}

/** The base of every command: `--json`, `--debug`, and the parsed command line. */
export abstract class GatehouseCommand extends Command {
  static override baseFlags = {
    json: Flags.boolean({ description: 'print the result as JSON on stdout' }),
    debug: Flags.boolean({ description: 'print more details of the work and of errors' }),
    help: Flags.help({ char: 'h', description: 'show this help' }),
  };

  /** The arguments after `--`, which belong to the server. */
  protected serverArguments: string[] = [];
  protected readonly output = new Output();
  readonly #interruption = new AbortController();

  /**
   * Aborted by Ctrl-C and SIGTERM, with {@link InterruptedError} as its reason. The caller must
   * watch the signal, because the process no longer ends by itself.
   */
  protected interruption(): AbortSignal {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => this.#interruption.abort(new InterruptedError()));
    }
    return this.#interruption.signal;
  }

  /**
   * Parses the command line. For `run`, the arguments after `--` belong to the server.
   * @throws UsageError for an unknown flag, with the most similar known flag
   */
  protected async read<C extends typeof Command>(command: C): Promise<Typed<C>> {
    const known: Readonly<
      Record<string, { readonly type: string; readonly allowNo?: boolean; readonly char?: string }>
    > = {
      ...command.baseFlags,
      ...command.flags,
    };
    const booleans = new Set(Object.keys(known).filter((name) => known[name]?.type === 'boolean'));
    const letters = new Set([...booleans].flatMap((name) => known[name]?.char ?? []));
    const valued = new Set(
      Object.entries(known).flatMap(([name, { type, char }]) =>
        type === 'boolean' ? [] : [`--${name}`, ...(char === undefined ? [] : [`-${char}`])],
      ),
    );
    const { own, passed } = splitArguments(this.argv);
    // The parser takes the members of every object for flags.
    const members = own.filter((word) => word.startsWith('--') && (/^--([^=]*)/.exec(word)?.[1] ?? '') in {});
    if (members.length > 0) throw unknownFlags(members, Object.keys(known), this.id === 'run');
    this.serverArguments = passed;
    const negatable = new Set([...booleans].filter((name) => known[name]?.allowNo === true));
    const words = spellBooleans(own, booleans, letters, negatable);
    requireValues(words, valued, new Set(Object.keys(known)));
    const runs = this.id === 'run';
    try {
      // Only `run` passes arguments on. In other commands, arguments after `--` may begin with a
      // hyphen.
      const { flags, args, argv } = await this.parse(
        command,
        runs || passed.length === 0 ? words : [...words, '--', ...passed],
      );
      return { flags, args, names: argv.map(String) } as unknown as Typed<C>;
    } catch (error) {
      const flags = (error as { flags?: unknown }).flags;
      if (Array.isArray(flags)) throw unknownFlags(flags.map(String), Object.keys(known), runs);
      throw error;
    }
  }

  /**
   * Asks for confirmation before a destructive change.
   * @throws CliError without a terminal, or when the answer is no
   */
  protected async confirmUnless(yes: boolean, question: string): Promise<void> {
    if (yes) return;
    const { confirm } = await import('../terminal/confirm.ts');
    await confirm(printable(question), this.interruption());
  }

  /** Passes the error on: `main` reports the errors of all commands. */
  protected override catch(error: Error): never {
    throw error;
  }
}

/** The flag of destructive commands. */
export const yesFlag = {
  yes: Flags.boolean({ char: 'y', description: 'do not ask for confirmation' }),
};

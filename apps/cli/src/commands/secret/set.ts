import { Args, Flags } from '@oclif/core';
import { SecretCommand } from '../../base/secret-command.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { printable } from '../../terminal/output.ts';

/** `gatehouse secret set`. */
export default class SecretSet extends SecretCommand {
  static override summary = 'store a secret, or replace its value';
  static override description = `The value comes from a hidden question, a pipe or a file, never from the command line, because other users could see it there. A newline at its end is removed.`;
  static override examples = [
    '<%= config.bin %> secret set github-token',
    '<%= config.bin %> secret set github-token < token.txt',
    'pass show github | <%= config.bin %> secret set github-token',
  ];
  static override usage = 'secret set [flags] NAME';
  static override strict = false;
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the secret' }),
  };
  static override flags = {
    file: Flags.string({ description: 'file with the value (default: standard input)' }),
  };

  async run(): Promise<void> {
    const { args, flags, names } = await this.read(SecretSet);
    if (names.length > 1) throw createValueArgumentError(args.name);
    const provider = await this.provider(args.name);
    const { storeSecret } = await import('../../services/secret/stored-secrets.ts');
    const isNew = await storeSecret(provider, args.name, () => readValue(args.name, flags.file));
    if (flags.json) this.output.json({ name: args.name, status: isNew ? 'created' : 'updated' });
    else this.output.say(printable(`The secret ${args.name} is ${isNew ? 'stored' : 'replaced'}`));
  }
}

/** The error for a value on the command line. It does not repeat the value. */
const createValueArgumentError = (name: string): UsageError =>
  new UsageError('The value of a secret cannot be an argument, because other users could see it there', [
    `gatehouse secret set ${name}   asks for the value`,
    `gatehouse secret set ${name} < FILE`,
  ]);

/** The value from a hidden question on a terminal, else from standard input or the file. */
async function readValue(name: string, file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY && process.stderr.isTTY) {
    const { askHidden } = await import('../../terminal/hidden-prompt.ts');
    const value = await askHidden(`Value of ${printable(name)}: `);
    if (value === '') throw new UsageError('The value of the secret is empty');
    return value;
  }
  const { inputValue } = await import('../../json/input.ts');
  return inputValue(file, 'value of the secret');
}

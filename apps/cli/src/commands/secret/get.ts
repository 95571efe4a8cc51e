import { Args } from '@oclif/core';
import { SecretCommand } from '../../base/secret-command.ts';
import { printableLines } from '../../terminal/output.ts';

/** `gatehouse secret get`. */
export default class SecretGet extends SecretCommand {
  static override hiddenAliases = ['secret:show'];
  static override summary = 'print the value of a secret';
  static override description = `Prints the value alone, as it is. On a terminal, control characters are shown as their codes. The encrypted file takes about 0.1 s, because its password is slow to guess (scrypt).`;
  static override examples = [
    '<%= config.bin %> secret get github-token',
    'TOKEN=$(<%= config.bin %> secret get github-token)',
    '<%= config.bin %> secret get op://Private/GitHub/token',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the secret' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(SecretGet);
    const { readSecret } = await import('../../services/secret/stored-secrets.ts');
    const value = await readSecret(await this.provider(args.name), args.name);
    if (flags.json) this.output.json({ name: args.name, value });
    else this.output.line(process.stdout.isTTY ? printableLines(value) : value);
  }
}

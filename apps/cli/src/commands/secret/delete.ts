import { Args } from '@oclif/core';
import { yesFlag } from '../../base/base-command.ts';
import { SecretCommand } from '../../base/secret-command.ts';
import { printable } from '../../terminal/output.ts';

/** `gatehouse secret delete`. */
export default class SecretDelete extends SecretCommand {
  static override hiddenAliases = ['secret:rm'];
  static override summary = 'delete a secret';
  static override description = `A workload that runs keeps the value that it received at its start. An unknown name is an error, so that a typing mistake is noticed.`;
  static override examples = [
    '<%= config.bin %> secret delete github-token',
    '<%= config.bin %> secret delete github-token --yes',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the secret' }),
  };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(SecretDelete);
    const { checkDeletion, deleteSecret } = await import('../../services/secret/stored-secrets.ts');
    const provider = await this.provider(args.name);
    checkDeletion(provider, args.name);
    await this.confirmUnless(flags.yes, `Delete the secret ${args.name}?`);
    await deleteSecret(provider, args.name);
    if (flags.json) this.output.json({ name: args.name, status: 'deleted' });
    else this.output.say(printable(`The secret ${args.name} is deleted`));
  }
}

import { Args, Flags } from '@oclif/core';
import { inputValue } from '../../../json/input.ts';
import { createSecret } from '../../../services/manager/secrets.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin secrets create`. */
export default class AdminSecretsCreate extends ManagerCommand {
  static override summary = 'store a managed secret for connectors or model providers';
  static override description = `The value comes from standard input or a file, never from the command line, because other users could see it there. A newline at its end is removed.`;
  static override examples = [
    '<%= config.bin %> admin secrets create github-token < token.txt',
    '<%= config.bin %> admin secrets create github-token --file token.txt',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the secret' }),
  };
  static override flags = {
    file: Flags.string({ description: 'file with the value (default: standard input)' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminSecretsCreate);
    const value = await inputValue(flags.file, 'value of the secret');
    this.showOne(flags.json, await createSecret(await this.manager(flags), args.name, value));
  }
}

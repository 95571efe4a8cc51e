import { Args, Flags } from '@oclif/core';
import { inputValue } from '../../../json/input.ts';
import { rotateSecret } from '../../../services/manager/secrets.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin secrets rotate`. */
export default class AdminSecretsRotate extends ManagerCommand {
  static override summary = 'replace the value of a managed secret';
  static override description = `The value comes from standard input or a file, never from the command line, because other users could see it there. A newline at its end is removed.`;
  static override examples = ['<%= config.bin %> admin secrets rotate github-token < token.txt'];
  static override args = {
    secret: Args.string({ required: true, ignoreStdin: true, description: 'secret: id or name' }),
  };
  static override flags = {
    file: Flags.string({ description: 'file with the value (default: standard input)' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminSecretsRotate);
    const value = await inputValue(flags.file, 'value of the secret');
    this.showOne(flags.json, await rotateSecret(await this.manager(flags), args.secret, value));
  }
}

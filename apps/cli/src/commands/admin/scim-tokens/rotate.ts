import { Args, Flags } from '@oclif/core';
import { parseSeconds } from '../../../services/manager/keys.ts';
import { rotateScimToken, findScimToken } from '../../../services/manager/scim-tokens.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin scim-tokens rotate`. */
export default class AdminScimTokensRotate extends ManagerCommand {
  static override summary = 'give a token a new secret; the previous secret stays valid for 24 hours';
  static override description = `Prints the secret on stdout, only once; all other messages go to stderr.`;
  static override examples = [
    '<%= config.bin %> admin scim-tokens rotate entra > token.txt',
    '<%= config.bin %> admin scim-tokens rotate entra --grace 0s',
  ];
  static override args = {
    token: Args.string({ required: true, ignoreStdin: true, description: 'token: id or name' }),
  };
  static override flags = {
    grace: Flags.string({ description: 'time for which the previous secret stays valid (default: 24h)' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminScimTokensRotate);
    const manager = await this.manager(flags);
    const { grace } = flags;
    const token = await findScimToken(manager, args.token);
    const made = await rotateScimToken(
      manager,
      token,
      grace === undefined ? undefined : parseSeconds('--grace', grace),
    );
    const until = made.previous_secret_valid_until;
    this.showSecret(
      flags.json,
      made,
      `Token ${made.name} has a new secret: the line on stdout. The previous secret ${until === undefined ? 'is no longer valid' : `works until ${until}`}.`,
    );
  }
}

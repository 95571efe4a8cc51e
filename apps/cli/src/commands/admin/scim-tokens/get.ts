import { Args } from '@oclif/core';
import { findScimToken } from '../../../services/manager/scim-tokens.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin scim-tokens get`. */
export default class AdminScimTokensGet extends ManagerCommand {
  static override hiddenAliases = ['admin:scim-tokens:show'];
  static override summary = 'show a token of a provisioning directory; never its secret';
  static override examples = ['<%= config.bin %> admin scim-tokens get entra'];
  static override args = {
    token: Args.string({ required: true, ignoreStdin: true, description: 'token: id or name' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminScimTokensGet);
    this.showOne(flags.json, await findScimToken(await this.manager(flags), args.token));
  }
}

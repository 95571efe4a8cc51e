import { Args } from '@oclif/core';
import { revokeScimToken, findScimToken } from '../../../services/manager/scim-tokens.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin scim-tokens revoke`. */
export default class AdminScimTokensRevoke extends ManagerCommand {
  static override summary = 'revoke a token of a provisioning directory permanently';
  static override examples = ['<%= config.bin %> admin scim-tokens revoke entra'];
  static override args = {
    token: Args.string({ required: true, ignoreStdin: true, description: 'token: id or name' }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminScimTokensRevoke);
    const manager = await this.manager(flags);
    const token = await findScimToken(manager, args.token);
    await this.confirmUnless(
      flags.yes,
      `Revoke the token ${token.name} of ${token.issuer_id} at ${manager.url} permanently?`,
    );
    await revokeScimToken(manager, token);
    this.showDone(flags.json, { id: token.id, status: 'revoked' }, `The token ${token.name} is revoked`);
  }
}

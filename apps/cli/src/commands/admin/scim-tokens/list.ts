import { Flags } from '@oclif/core';
import { SCIM_TOKEN_COLUMNS } from '../../../views/columns.ts';
import { listScimTokens } from '../../../services/manager/scim-tokens.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin scim-tokens list`. */
export default class AdminScimTokensList extends ManagerCommand {
  static override hiddenAliases = ['admin:scim-tokens:ls'];
  static override summary = 'list the tokens of provisioning directories; never their secrets';
  static override examples = [
    '<%= config.bin %> admin scim-tokens list',
    '<%= config.bin %> admin scim-tokens list --issuer corp --json',
  ];
  static override flags = {
    ...listFlags,
    issuer: Flags.string({ description: 'id of an issuer' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminScimTokensList);
    const filter = flags.issuer === undefined ? {} : { issuer_id: flags.issuer };
    const tokens = await listScimTokens(await this.manager(flags), filter, flags);
    await this.showList(flags.json, tokens, SCIM_TOKEN_COLUMNS, 'No tokens');
  }
}

import { Args, Flags } from '@oclif/core';
import { createScimToken } from '../../../services/manager/scim-tokens.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin scim-tokens create`. */
export default class AdminScimTokensCreate extends ManagerCommand {
  static override summary = 'create a token for a provisioning directory';
  static override description = `Prints the secret on stdout, only once; all other messages go to stderr.`;
  static override examples = ['<%= config.bin %> admin scim-tokens create entra --issuer corp > token.txt'];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the token' }),
  };
  static override flags = {
    issuer: Flags.string({ description: 'id of the issuer of the provisioned users', required: true }),
    'expires-at': Flags.string({ description: 'expiry time, RFC 3339 (default: never)' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminScimTokensCreate);
    const expires = flags['expires-at'];
    const made = await createScimToken(await this.manager(flags), {
      name: args.name,
      issuer_id: flags.issuer,
      ...(expires !== undefined && { expires_at: expires }),
    });
    this.showSecret(
      flags.json,
      made,
      `Token ${made.name} for ${made.scim_url}. The line on stdout is its secret; it cannot be shown again.`,
    );
  }
}

import { Flags } from '@oclif/core';
import { listFlags, ManagerCommand } from '../../../../base/manager-command.ts';
import { gatewayFlag } from '../../../../flags/gateway-flag.ts';
import { listSessions, listSessionsOfUser } from '../../../../services/manager/gateway-sessions.ts';
import { SESSION_COLUMNS } from '../../../../views/columns.ts';

/** `gatehouse admin gateways sessions list`. */
export default class AdminGatewaysSessionsList extends ManagerCommand {
  static override hiddenAliases = ['admin:gateways:sessions:ls'];
  static override summary = 'list open sessions of MCP clients, newest first';
  static override description =
    'Lists the sessions at all replicas of the gateway. Clients of MCP 2026-07-28 have no session.';
  static override examples = [
    '<%= config.bin %> admin gateways sessions list',
    '<%= config.bin %> admin gateways sessions list --user alice',
    '<%= config.bin %> admin gateways sessions list --issuer https://id.example.com --subject 248289 --json',
  ];
  static override flags = {
    ...listFlags,
    ...gatewayFlag,
    user: Flags.string({
      description: 'only sessions of this user: id, user name or e-mail',
      exclusive: ['issuer', 'subject'],
    }),
    issuer: Flags.string({ description: 'only sessions of users of this issuer' }),
    subject: Flags.string({ description: 'only sessions of users with this subject' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminGatewaysSessionsList);
    const { json, user, issuer, subject } = flags;
    const gateway = await this.gateway(flags);
    const filter = { ...(issuer !== undefined && { issuer }), ...(subject !== undefined && { subject }) };
    const found = await (user === undefined
      ? listSessions(gateway, filter, flags)
      : listSessionsOfUser(await this.manager(flags), gateway, user, flags));
    await this.showList(json, found, SESSION_COLUMNS, 'No sessions');
  }
}

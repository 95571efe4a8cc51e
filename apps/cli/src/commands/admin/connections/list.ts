import { Args, Flags } from '@oclif/core';
import { connectionColumns } from '../../../views/columns.ts';
import { connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { listConnections, listConnectionsOfUser } from '../../../services/manager/connections.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';
import { UsageError } from '../../../errors/cli-error.ts';

/** `gatehouse admin connections list`. */
export default class AdminConnectionsList extends ManagerCommand {
  static override hiddenAliases = ['admin:connections:ls'];
  static override summary = 'list the settings of all users for a connector, or of one user for all connectors';
  static override examples = [
    '<%= config.bin %> admin connections list search',
    '<%= config.bin %> admin connections list --user alice',
  ];
  static override args = {
    connector: Args.string({
      ignoreStdin: true,
      description: 'connector: id, slug or name (default: all, with --user)',
    }),
  };
  static override flags = {
    ...gatewayFlag,
    user: Flags.string({ description: 'only this user: id, user name or e-mail' }),
    ...listFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectionsList);
    const { connector } = args;
    const { gateway, json, user } = flags;
    if (connector === undefined && user === undefined)
      throw new UsageError('Give a connector or --user', [
        'gatehouse admin connectors list',
        'gatehouse admin connections list --user NAME',
      ]);
    const manager = await this.manager(flags);
    const found =
      connector === undefined
        ? await listConnectionsOfUser(manager, gateway, user ?? '', flags)
        : await listConnections(manager, connectorRef({ connector }, flags), user, flags);
    const named = found.items.map(({ user_id: id }) => ({ scope: 'entry' as const, subject_id: id }));
    const columns = connectionColumns(await this.fetchNames(json, manager, named));
    const items = json ? found.items.map(({ connector: _, ...connection }) => connection) : found.items;
    await this.showList(json, { ...found, items: items as typeof found.items }, columns, 'No connections');
  }
}

import { Flags } from '@oclif/core';
import { listFlags, ManagerCommand } from '../../../../base/manager-command.ts';
import { gatewayFlag } from '../../../../flags/gateway-flag.ts';
import { listToolChanges } from '../../../../services/manager/tool-changes.ts';
import { formatToolChange, TOOL_CHANGE_COLUMNS } from '../../../../views/tool-change-view.ts';

/** `gatehouse admin gateways tool-changes list`. */
export default class AdminGatewaysToolChangesList extends ManagerCommand {
  static override hiddenAliases = ['admin:gateways:tool-changes:ls'];
  static override summary = 'list changed and new definitions of pinned tools, newest first';
  static override description =
    'Shows what servers have changed since their tools are pinned (content.tool_pinning of the settings), with a diff of each definition. Invisible characters are shown by their code.';
  static override examples = [
    '<%= config.bin %> admin gateways tool-changes list',
    '<%= config.bin %> admin gateways tool-changes list --status pending --no-diff',
    '<%= config.bin %> admin gateways tool-changes list --connector 0197a3c2-2b9c-71d5-aff2-f15eb4bb768a --json',
  ];
  static override flags = {
    ...listFlags,
    ...gatewayFlag,
    status: Flags.option({ options: ['pending', 'accepted', 'rejected'] as const })({
      description: 'only changes with this status',
    }),
    connector: Flags.string({ description: 'only changes of the connector with this id' }),
    diff: Flags.boolean({ description: 'show the differences below the table', default: true, allowNo: true }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminGatewaysToolChangesList);
    const { json, status, connector } = flags;
    const filter = { ...(status && { status }), ...(connector !== undefined && { connector_id: connector }) };
    const found = await listToolChanges(await this.gateway(flags), filter, flags);
    await this.showList(json, found, TOOL_CHANGE_COLUMNS, 'No tool changes');
    if (!json && flags.diff) for (const change of found.items) this.output.line(`\n${formatToolChange(change)}`);
  }
}

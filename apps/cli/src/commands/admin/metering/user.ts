import { Args } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { usageFilter, usageFlags } from '../../../flags/metering-flags.ts';
import { userUsage } from '../../../services/manager/metering.ts';
import { findUser } from '../../../services/manager/users.ts';

const MONTH_MS = 30 * 86_400_000;

/** `gatehouse admin metering user`. */
export default class AdminMeteringUser extends ManagerCommand {
  static override summary = 'show the tool calls of a user';
  static override examples = ['<%= config.bin %> admin metering user alice --from 24h'];
  static override args = { user: Args.string({ description: 'user: id, user name or e-mail', required: true }) };
  static override flags = usageFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminMeteringUser);
    const filter = usageFilter(flags);
    const end = filter.end ?? new Date().toISOString();
    const start = filter.start ?? new Date(Date.parse(end) - MONTH_MS).toISOString();
    const manager = await this.manager(flags);
    const usage = await userUsage(manager, (await findUser(manager, args.user)).id, { ...filter, start, end });
    if (flags.json) {
      this.output.json(usage);
      return;
    }
    const items = usage.connectors.flatMap(({ connector_name: connector, tools }) =>
      tools.map((tool) => ({ connector, ...tool })),
    );
    await this.showList(
      false,
      { items },
      [
        ['CONNECTOR', ({ connector }) => connector],
        ['TOOL', ({ tool_name: tool }) => tool],
        ['CALLS', ({ tool_call_count: calls }) => calls],
        ['LAST', ({ last_activity: last }) => last],
      ],
      'No calls',
    );
  }
}

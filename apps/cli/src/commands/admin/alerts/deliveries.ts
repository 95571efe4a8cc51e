import { Args, Flags } from '@oclif/core';
import { deliveryColumns } from '../../../views/alert-columns.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';
import { findAlert, listDeliveries } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts deliveries`. */
export default class AdminAlertsDeliveries extends ManagerCommand {
  static override summary = 'list the deliveries of an alert, sent and pending, newest first';
  static override examples = [
    '<%= config.bin %> admin alerts deliveries finance',
    '<%= config.bin %> admin alerts deliveries finance --state failed --json',
  ];
  static override args = {
    alert: Args.string({ required: true, ignoreStdin: true, description: 'alert: id or name' }),
  };
  static override flags = {
    ...listFlags,
    state: Flags.option({
      options: ['pending', 'delivered', 'failed'] as const,
      description: 'only deliveries with this status',
    })(),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAlertsDeliveries);
    const manager = await this.manager(flags);
    const deliveries = await listDeliveries(manager, await findAlert(manager, args.alert), flags.state, flags);
    const getName = await this.fetchNames(flags.json, manager, deliveries.items);
    await this.showList(flags.json, deliveries, deliveryColumns(getName), 'No deliveries');
  }
}

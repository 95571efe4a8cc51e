import { Args } from '@oclif/core';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { findAlert, deleteAlert } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts delete`. */
export default class AdminAlertsDelete extends ManagerCommand {
  static override summary = 'delete a budget alert with its deliveries, including pending ones';
  static override examples = ['<%= config.bin %> admin alerts delete finance'];
  static override args = {
    alert: Args.string({ required: true, ignoreStdin: true, description: 'alert: id or name' }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAlertsDelete);
    const manager = await this.manager(flags);
    const alert = await findAlert(manager, args.alert);
    await this.confirmUnless(flags.yes, `Delete the alert ${alert.name} with its deliveries at ${manager.url}?`);
    await deleteAlert(manager, alert);
    this.showDone(flags.json, { id: alert.id, status: 'deleted' }, `The alert ${alert.name} is deleted`);
  }
}

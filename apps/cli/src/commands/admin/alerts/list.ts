import { alertColumns } from '../../../views/alert-columns.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';
import { listAlerts } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts list`. */
export default class AdminAlertsList extends ManagerCommand {
  static override hiddenAliases = ['admin:alerts:ls'];
  static override summary = 'list budget alerts; never their secrets';
  static override examples = ['<%= config.bin %> admin alerts list'];
  static override flags = {
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminAlertsList);
    const manager = await this.manager(flags);
    const alerts = await listAlerts(manager, flags);
    const subjects = alerts.items.flatMap(({ scope, subject_id }) =>
      scope === undefined || subject_id === undefined ? [] : [{ scope, subject_id }],
    );
    const getName = await this.fetchNames(flags.json, manager, subjects);
    await this.showList(flags.json, alerts, alertColumns(getName), 'No alerts');
  }
}

import { ALERT_COLUMNS } from '../../../alert-columns.ts';
import { listFlags, ManagerCommand } from '../../../manager-command.ts';
import { listAlerts } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts list`. */
export default class AdminAlertsList extends ManagerCommand {
  static override summary = 'list budget alerts; never their secrets';
  static override examples = ['<%= config.bin %> admin alerts list'];
  static override flags = {
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminAlertsList);
    const alerts = await listAlerts(await this.manager(flags), flags);
    await this.showList(flags.json, alerts, ALERT_COLUMNS, 'No alerts');
  }
}

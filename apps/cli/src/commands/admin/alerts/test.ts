import { Args } from '@oclif/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { findAlert, testAlert } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts test`. */
export default class AdminAlertsTest extends ManagerCommand {
  static override summary = 'send a test delivery to the target of an alert, and wait for its response';
  static override description = `The data of the delivery contain "test": true. It is sent once, also while the alert is disabled.`;
  static override examples = ['<%= config.bin %> admin alerts test finance'];
  static override args = {
    alert: Args.string({ required: true, ignoreStdin: true, description: 'alert: id or name' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAlertsTest);
    const manager = await this.manager(flags);
    const alert = await findAlert(manager, args.alert);
    const delivery = await testAlert(manager, alert, sleep);
    if (flags.json) this.output.json(delivery);
    else
      this.output.say(
        `The test delivery arrived: ${alert.name} answered HTTP ${delivery.attempts.at(-1)?.status ?? '2xx'}`,
      );
  }
}

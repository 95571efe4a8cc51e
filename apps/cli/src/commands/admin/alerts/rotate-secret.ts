import { Args } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { findAlert, rotateAlertSecret } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts rotate-secret`. */
export default class AdminAlertsRotateSecret extends ManagerCommand {
  static override summary = 'give an alert a new secret; the previous secret also signs for 24 hours';
  static override description = `Prints the secret on stdout, only once; all other messages go to stderr.`;
  static override examples = ['<%= config.bin %> admin alerts rotate-secret finance > secret.txt'];
  static override args = {
    alert: Args.string({ required: true, ignoreStdin: true, description: 'alert: id or name' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAlertsRotateSecret);
    const manager = await this.manager(flags);
    const made = await rotateAlertSecret(manager, await findAlert(manager, args.alert));
    this.showSecret(
      flags.json,
      made,
      `Alert ${made.name} has a new secret: the line on stdout. The previous secret also signs deliveries until ${made.previous_secret_valid_until ?? 'now'}.`,
    );
  }
}

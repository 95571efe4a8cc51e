import { Args, Flags } from '@oclif/core';
import { alertFields, alertFlags, parseThresholds } from '../../../flags/alert-flags.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { createAlert } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts create`. */
export default class AdminAlertsCreate extends ManagerCommand {
  static override summary = 'create a budget alert: a webhook that is called when a budget reaches a threshold';
  static override description = `Prints the secret that signs deliveries (Standard Webhooks) on stdout, only once; all other messages go to stderr.`;
  static override examples = [
    '<%= config.bin %> admin alerts create finance --to https://hooks.example.com/budget --thresholds 80,100 > secret.txt',
    '<%= config.bin %> admin alerts create alice --to https://hooks.example.com/budget --thresholds 50 --scope user --subject alice --period month',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'name of the alert' }),
  };
  static override flags = {
    ...alertFlags,
    to: Flags.string({ required: true, description: 'URL of the webhook' }),
    thresholds: Flags.string({ required: true, description: 'percentages of the limit, separated by commas' }),
    disabled: Flags.boolean({ description: 'create the alert as disabled' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAlertsCreate);
    const thresholds = parseThresholds(flags.thresholds);
    const made = await createAlert(await this.manager(flags), {
      ...{ name: args.name, url: flags.to, thresholds, enabled: !flags.disabled },
      ...alertFields(flags),
    });
    this.showSecret(
      flags.json,
      made,
      `Alert ${made.name} (${made.id}). The line on stdout is its secret; it cannot be shown again.`,
    );
  }
}

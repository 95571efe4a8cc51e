import { Args, Flags } from '@oclif/core';
import { alertFields, alertFlags, parseThresholds } from '../../../flags/alert-flags.ts';
import { excludes } from '../../../flags/flag-relationships.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { updateAlert } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts update`. */
export default class AdminAlertsUpdate extends ManagerCommand {
  static override summary = 'change the given fields of a budget alert';
  static override examples = [
    '<%= config.bin %> admin alerts update finance --thresholds 50,80,100',
    '<%= config.bin %> admin alerts update finance --no-enabled',
    '<%= config.bin %> admin alerts update alice --all-budgets --all-periods',
  ];
  static override args = {
    alert: Args.string({ required: true, ignoreStdin: true, description: 'alert: id or name' }),
  };
  static override flags = {
    ...alertFlags,
    name: Flags.string({ description: 'new name' }),
    to: Flags.string({ description: 'URL of the webhook' }),
    thresholds: Flags.string({ description: 'percentages of the limit, separated by commas' }),
    enabled: Flags.boolean({ allowNo: true, description: 'enable or disable the alert' }),
    'all-budgets': Flags.boolean({ description: 'watch all budgets', relationships: excludes('scope', 'subject') }),
    'all-periods': Flags.boolean({ description: 'watch all periods', exclusive: ['period'] }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAlertsUpdate);
    const changes = {
      ...(flags.name !== undefined && { name: flags.name }),
      ...(flags.to !== undefined && { url: flags.to }),
      ...(flags.thresholds !== undefined && { thresholds: parseThresholds(flags.thresholds) }),
      ...('enabled' in flags && { enabled: flags.enabled }),
      ...alertFields(flags),
    };
    const cleared = [
      ...(flags['all-budgets'] ? (['scope', 'subject_id'] as const) : []),
      ...(flags['all-periods'] ? (['periods'] as const) : []),
    ];
    this.showOne(flags.json, await updateAlert(await this.manager(flags), args.alert, changes, cleared));
  }
}

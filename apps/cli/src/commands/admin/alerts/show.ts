import { Args } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { findAlert } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts show`. */
export default class AdminAlertsShow extends ManagerCommand {
  static override hiddenAliases = ['admin:alerts:get'];
  static override summary = 'show a budget alert; never its secret';
  static override examples = ['<%= config.bin %> admin alerts show finance'];
  static override args = {
    alert: Args.string({ required: true, ignoreStdin: true, description: 'alert: id or name' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAlertsShow);
    this.showOne(flags.json, await findAlert(await this.manager(flags), args.alert));
  }
}

import { ManagerCommand } from '../../../../base/manager-command.ts';
import { defaultBudget } from '../../../../services/manager/budgets.ts';

/** `gatehouse admin budgets default get`. */
export default class AdminBudgetsDefaultGet extends ManagerCommand {
  static override hiddenAliases = ['admin:budgets:default:show'];
  static override summary = 'show the default budget: the limits of users without a budget of their own';
  static override description = 'On stderr it prints the ETag for --if-match.';
  static override examples = ['<%= config.bin %> admin budgets default get'];

  async run(): Promise<void> {
    const { flags } = await this.read(AdminBudgetsDefaultGet);
    const { budget, etag } = await defaultBudget(await this.manager(flags));
    this.showOne(flags.json, budget);
    this.output.say(`ETag ${etag}`);
  }
}

import { defaultIfMatchFlag, limitFlags } from '../../../../flags/budget-flags.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';
import { setDefaultBudget } from '../../../../services/manager/budgets.ts';

/** `gatehouse admin budgets default set`. */
export default class AdminBudgetsDefaultSet extends ManagerCommand {
  static override summary = 'set the default budget: the limits of users without a budget of their own';
  static override description =
    'Applies to each user without a budget of this period. Budgets of other periods apply too: a request must fit into all of them. The default budget pays before the groups of the user.';
  static override examples = ['<%= config.bin %> admin budgets default set --limit 20 --period month'];
  static override flags = { ...limitFlags, ...defaultIfMatchFlag };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminBudgetsDefaultSet);
    const { limit, period } = flags;
    await setDefaultBudget(await this.manager(flags), { limit_usd: limit, period }, flags['if-match']);
    this.showDone(flags.json, { id: 'default', status: 'set' }, `The default budget is $${limit} in each ${period}`);
  }
}

import { defaultIfMatchFlag } from '../../../../flags/budget-flags.ts';
import { yesFlag } from '../../../../base/base-command.ts';
import { ManagerCommand } from '../../../../base/manager-command.ts';
import { deleteDefaultBudget } from '../../../../services/manager/budgets.ts';

/** `gatehouse admin budgets default delete`. */
export default class AdminBudgetsDefaultDelete extends ManagerCommand {
  static override summary = 'delete the default budget of users';
  static override examples = ['<%= config.bin %> admin budgets default delete'];
  static override flags = { ...defaultIfMatchFlag, ...yesFlag };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminBudgetsDefaultDelete);
    const manager = await this.manager(flags);
    await this.confirmUnless(flags.yes, `Delete the default budget at ${manager.url}?`);
    await deleteDefaultBudget(manager, flags['if-match']);
    this.showDone(flags.json, { id: 'default', status: 'deleted' }, 'The default budget is deleted');
  }
}

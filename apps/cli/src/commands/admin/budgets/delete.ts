import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { ifMatchFlag, subjectFlags } from '../../../flags/budget-flags.ts';
import { deleteBudget, findBudgetSubject } from '../../../services/manager/budgets.ts';

/** `gatehouse admin budgets delete`. */
export default class AdminBudgetsDelete extends ManagerCommand {
  static override summary = 'delete the budgets of a user or a group, of all periods';
  static override examples = ['<%= config.bin %> admin budgets delete --user alice'];
  static override flags = { ...subjectFlags, ...ifMatchFlag, ...yesFlag };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminBudgetsDelete);
    const manager = await this.manager(flags);
    const subject = await findBudgetSubject(manager, flags, 'taken');
    await this.confirmUnless(flags.yes, `Delete all budgets of ${subject.name} at ${manager.url}?`);
    await deleteBudget(manager, subject, flags['if-match']);
    this.showDone(flags.json, { id: subject.id, status: 'deleted' }, `All budgets of ${subject.name} are deleted`);
  }
}

import { budgetColumns } from '../../../views/columns.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { getBudgets } from '../../../services/manager/budgets.ts';

/** `gatehouse admin budgets list`. */
export default class AdminBudgetsList extends ManagerCommand {
  static override hiddenAliases = ['admin:budgets:ls'];
  static override summary = 'list the budgets of users and groups';
  static override description = `With --json, prints the collection in the format of admin budgets replace. On stderr it prints the ETag for --if-match.`;
  static override examples = [
    '<%= config.bin %> admin budgets list',
    '<%= config.bin %> admin budgets list --json > budgets.json',
  ];

  async run(): Promise<void> {
    const { flags } = await this.read(AdminBudgetsList);
    const manager = await this.manager(flags);
    const { collection, etag } = await getBudgets(manager);
    if (flags.json) this.output.json(collection);
    else {
      const getName = await this.fetchNames(false, manager, collection.budgets);
      await this.showList(false, { items: collection.budgets }, budgetColumns(getName), 'No budgets');
    }
    this.output.say(`ETag ${etag}`);
  }
}

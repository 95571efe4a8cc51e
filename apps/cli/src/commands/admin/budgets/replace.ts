import { Flags } from '@oclif/core';
import { ifMatchFlag } from '../../../flags/budget-flags.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { inputObject } from '../../../json/input.ts';
import { replaceBudgets } from '../../../services/manager/budgets.ts';

/** Maximum size of a collection in bytes. */
const LARGEST = 8 * 1024 * 1024;

/** `gatehouse admin budgets replace`. */
export default class AdminBudgetsReplace extends ManagerCommand {
  static override summary = 'replace all budgets at once';
  static override description = `Reads the JSON of admin budgets list --json. Budgets that are not in it are deleted; their used amounts stay. With --if-match the command refuses to overwrite concurrent changes.`;
  static override examples = [`<%= config.bin %> admin budgets replace --file budgets.json --if-match '"YS1mOy7Q"'`];
  static override flags = {
    file: Flags.string({ description: 'file with the collection (default: standard input)' }),
    ...ifMatchFlag,
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminBudgetsReplace);
    const manager = await this.manager(flags);
    const given = await inputObject(flags.file, 'collection of budgets', LARGEST);
    await this.confirmUnless(flags.yes, `Replace all budgets at ${manager.url}?`);
    await replaceBudgets(manager, given, flags['if-match']);
    this.showDone(flags.json, { id: 'budgets', status: 'replaced' }, 'The budgets are replaced');
  }
}

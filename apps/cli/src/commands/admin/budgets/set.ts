import { Flags } from '@oclif/core';
import { requires } from '../../../flags/flag-relationships.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { ifMatchFlag, limitFlags, subjectFlags } from '../../../flags/budget-flags.ts';
import { PAYER_ORDER } from '../../../flags/spend-flags.ts';
import { setBudget, findBudgetSubject } from '../../../services/manager/budgets.ts';

/** `gatehouse admin budgets set`. */
export default class AdminBudgetsSet extends ManagerCommand {
  static override summary = 'set the budget of a user or a group for a period';
  static override description = `Limits of other periods and used amounts stay. ${PAYER_ORDER} The limit of a user is not a maximum: the groups pay after it.`;
  static override examples = [
    '<%= config.bin %> admin budgets set --user alice --limit 20 --period month',
    '<%= config.bin %> admin budgets set --user 00u1f4c2k7 --allow-unknown --limit 20 --period month',
    '<%= config.bin %> admin budgets set --group engineers --limit 500 --period month --precedence 10',
  ];
  static override flags = {
    ...subjectFlags,
    ...limitFlags,
    precedence: Flags.integer({
      description: 'precedence of a group among the groups of a user, lowest first',
      min: 1,
    }),
    'allow-unknown': Flags.boolean({
      description: 'accept a --user that is not in the directory, as a subject',
      relationships: requires('user'),
    }),
    ...ifMatchFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminBudgetsSet);
    const { limit, period, precedence } = flags;
    const manager = await this.manager(flags);
    const subject = await findBudgetSubject(manager, flags, flags['allow-unknown'] ? 'taken' : 'refused');
    const body = { limit_usd: limit, period, ...(precedence !== undefined && { precedence }) };
    await setBudget(manager, subject, body, flags['if-match']);
    this.showDone(
      flags.json,
      { id: subject.id, status: 'set' },
      `The budget of ${subject.name} is $${limit} in each ${period}`,
    );
  }
}

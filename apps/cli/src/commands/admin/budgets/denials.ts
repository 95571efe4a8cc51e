import { Flags } from '@oclif/core';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';
import { denialColumns } from '../../../views/spend-columns.ts';
import { definedOnly, PERSON, timeFlags, parseTimeRange } from '../../../flags/spend-flags.ts';
import { listDenials } from '../../../services/manager/spend.ts';
import { findSubjectId } from '../../../services/manager/subjects.ts';

const REASONS = ['budget_exhausted', 'no_budget', 'unpriceable', 'key_inactive', 'principal_inactive'] as const;

/** `gatehouse admin budgets denials`. */
export default class AdminBudgetsDenials extends ManagerCommand {
  static override summary = 'list refused requests to models, newest first';
  static override description =
    'Counted by minute, user, reason and model; kept for 30 days. An entry appears within a few seconds.';
  static override examples = [
    '<%= config.bin %> admin budgets denials',
    '<%= config.bin %> admin budgets denials --user alice --from 24h',
    '<%= config.bin %> admin budgets denials --reason unpriceable --json',
  ];
  static override flags = {
    ...listFlags,
    ...timeFlags,
    user: Flags.string({ description: `requests made by this user: ${PERSON}` }),
    reason: Flags.option({ description: 'reason of the refusal', options: REASONS })(),
    model: Flags.string({ description: 'exact name of the model' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminBudgetsDenials);
    const { user, reason, model } = flags;
    const manager = await this.manager(flags);
    const subject = user === undefined ? undefined : await findSubjectId(manager, 'user', user);
    const filter = { ...parseTimeRange(flags), ...definedOnly({ auth_subject: subject, reason, model }) };
    const denials = await listDenials(manager, filter, flags);
    const subjects = denials.items.flatMap(({ auth_subject: id }) =>
      id === undefined ? [] : [{ scope: 'user' as const, subject_id: id }],
    );
    const getName = await this.fetchNames(flags.json, manager, subjects);
    await this.showList(flags.json, denials, denialColumns(getName), 'No refused requests');
  }
}

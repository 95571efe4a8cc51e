import { Flags } from '@oclif/core';
import { dollars } from '../../../terminal/amounts.ts';
import { excludes, requires } from '../../../flags/flag-relationships.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { isSubject, type Share, shareColumns } from '../../../views/spend-columns.ts';
import {
  formerPayerFlags,
  definedOnly,
  PAYER_ORDER,
  payerFlags,
  PERSON,
  refuseFormerPayer,
} from '../../../flags/spend-flags.ts';
import type { Manager } from '../../../services/manager/manager.ts';
import { getBreakdown, findPayer, getGroupShares } from '../../../services/manager/spend.ts';
import { findSubjectId } from '../../../services/manager/subjects.ts';
import { UsageError } from '../../../errors/cli-error.ts';

/** `gatehouse admin spend breakdown`. */
export default class AdminSpendBreakdown extends ManagerCommand {
  static override summary = 'show the spend of a payer, by model, provider and user that made the requests';
  static override description = `For the current month, or for the period of the only budget. With --user and --by-group: the amounts of group budgets that one user has used. ${PAYER_ORDER}`;
  static override examples = [
    '<%= config.bin %> admin spend breakdown --payer-user alice',
    '<%= config.bin %> admin spend breakdown --payer-group engineers --period year',
    '<%= config.bin %> admin spend breakdown --user alice --by-group',
  ];
  static override flags = {
    ...payerFlags,
    user: Flags.string({
      description: `with --by-group, the user that made the requests: ${PERSON}`,
      relationships: excludes('payer-user', 'payer-group'),
    }),
    group: formerPayerFlags.group,
    period: Flags.option({ description: 'period of the budget', options: ['day', 'month', 'year'] as const })(),
    'by-group': Flags.boolean({
      description: 'show the amounts of group budgets that the user of --user has used',
      relationships: [...excludes('period'), ...requires('user')],
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminSpendBreakdown);
    const { user, period, 'by-group': byGroup } = flags;
    const former = { group: flags.group, user: byGroup ? undefined : user };
    refuseFormerPayer(former, `gatehouse admin spend breakdown --user ${user} --by-group`);
    if ([user, flags['payer-user'], flags['payer-group']].every((flag) => flag === undefined))
      throw new UsageError('Give the payer', ['--payer-user NAME', '--payer-group NAME']);
    const manager = await this.manager(flags);
    if (user !== undefined) {
      const slice = await getGroupShares(manager, await findSubjectId(manager, 'user', user));
      await this.show(
        flags.json,
        manager,
        slice,
        slice.entries.map((entry) => ({ ...entry, dimension: 'group' })),
      );
      return;
    }
    const { scope, subject_id: subject } = await findPayer(manager, flags);
    if (scope === undefined || subject === undefined) return;
    const whole = await getBreakdown(manager, { scope, subject_id: subject, ...definedOnly({ period }) });
    const listShares = (dimension: 'model' | 'provider' | 'user'): Share[] =>
      whole[`by_${dimension}`].map((entry) => ({ ...entry, dimension }));
    await this.show(flags.json, manager, whole, [
      ...listShares('model'),
      ...listShares('provider'),
      ...listShares('user'),
    ]);
  }

  private async show(
    json: boolean,
    manager: Manager,
    whole: { total_used_usd: string; period?: string; period_start?: string },
    shares: readonly Share[],
  ): Promise<void> {
    if (json) {
      this.output.json(whole);
      return;
    }
    const subjects = shares.flatMap(({ dimension, value }) =>
      isSubject(dimension) ? [{ scope: dimension, subject_id: value }] : [],
    );
    const getName = await this.fetchNames(false, manager, subjects);
    await this.showList(false, { items: shares }, shareColumns(getName), 'Nothing used');
    const window =
      whole.period === undefined ? '' : ` in the ${whole.period} since ${whole.period_start?.slice(0, 10)}`;
    this.output.say(`${dollars(whole.total_used_usd)} used${window}`);
  }
}

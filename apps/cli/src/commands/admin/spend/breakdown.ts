import { Flags } from '@oclif/core';
import { badFlag } from '@gatehouse/workloads/failure';
import { dollars } from '../../../amounts.ts';
import { notWith, onlyWith } from '../../../flag-relationships.ts';
import { ManagerCommand } from '../../../manager-command.ts';
import { isSubject, type Share, shareColumns } from '../../../spend-columns.ts';
import { given, payerFlags } from '../../../spend-flags.ts';
import type { Manager } from '../../../services/manager/manager.ts';
import { breakdownOf, payerOf, sharesOf } from '../../../services/manager/spend.ts';

/** `gatehouse admin spend breakdown`. */
export default class AdminSpendBreakdown extends ManagerCommand {
  static override summary = 'show what a person or a group has used, by model, provider and person';
  static override description = 'Of the current month, or of the period of the only budget that there is.';
  static override examples = [
    '<%= config.bin %> admin spend breakdown --user alice',
    '<%= config.bin %> admin spend breakdown --group engineers --period year',
    '<%= config.bin %> admin spend breakdown --user alice --by-group',
  ];
  static override flags = {
    ...payerFlags,
    period: Flags.option({ description: 'which window', options: ['day', 'month', 'year'] as const })(),
    'by-group': Flags.boolean({
      description: 'show what of groups’ money the person has used',
      relationships: [...notWith('group', 'period'), ...onlyWith('user')],
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminSpendBreakdown);
    if (flags.user === undefined && flags.group === undefined)
      throw badFlag('--user', 'or --group must say whose it is');
    const manager = await this.manager(flags);
    const { scope, subject_id: subject } = await payerOf(manager, flags);
    if (scope === undefined || subject === undefined) return;
    if (flags['by-group']) {
      const slice = await sharesOf(manager, subject);
      await this.show(
        flags.json,
        manager,
        slice,
        slice.entries.map((entry) => ({ ...entry, dimension: 'group' })),
      );
      return;
    }
    const whole = await breakdownOf(manager, { scope, subject_id: subject, ...given({ period: flags.period }) });
    const of = (dimension: 'model' | 'provider' | 'user'): Share[] =>
      whole[`by_${dimension}`].map((entry) => ({ ...entry, dimension }));
    await this.show(flags.json, manager, whole, [...of('model'), ...of('provider'), ...of('user')]);
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
    const nameOf = await this.names(false, manager, subjects);
    await this.showList(false, { items: shares }, shareColumns(nameOf), 'Nothing used');
    const window =
      whole.period === undefined ? '' : ` in the ${whole.period} since ${whole.period_start?.slice(0, 10)}`;
    this.output.say(`${dollars(whole.total_used_usd)} used${window}`);
  }
}

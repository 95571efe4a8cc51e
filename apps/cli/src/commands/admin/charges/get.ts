import { Args } from '@oclif/core';
import { CHARGE_ROW_COLUMNS, chargeRows } from '../../../views/charge-view.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { findCharge } from '../../../services/manager/charge-search.ts';
import { chargeStatement } from '../../../services/manager/charge-statement.ts';
import { timeFlags, parseTimeRange } from '../../../flags/spend-flags.ts';
import { CommandFailedError } from '../../../errors/cli-error.ts';

/** `gatehouse admin charges get`. */
export default class AdminChargesGet extends ManagerCommand {
  static override hiddenAliases = ['admin:charges:show'];
  static override summary = 'show the arithmetic of one charge, line by line';
  static override description = `Each line is a quantity times its rate, in USD per million tokens or USD per thousand calls, from the version of the prices of the charge. The exact sum is rounded once, to nine digits, half to even. The command recomputes the amount and fails if the charge differs.`;
  static override examples = [
    '<%= config.bin %> admin charges get 019ab1f4-2c00-7d35-9a55-0c8f6f7c2f10',
    '<%= config.bin %> admin charges get 019ab1f4-2c00-7d35-9a55-0c8f6f7c2f10 --json',
  ];
  static override args = {
    charge: Args.string({ required: true, ignoreStdin: true, description: 'charge: ID from admin charges list' }),
  };
  static override flags = timeFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminChargesGet);
    const times = parseTimeRange(flags);
    const manager = await this.manager(flags);
    const charge = await findCharge(manager, args.charge, times, this.interruption());
    const statement = await chargeStatement(manager, charge);
    if (flags.json) this.output.json(statement);
    else {
      const { auth_subject: person, scope, subject_id: payer } = charge;
      const getName = await this.fetchNames(false, manager, [{ scope: 'user', subject_id: person }, charge]);
      this.showOne(false, {
        id: charge.id,
        event_time: charge.event_time,
        interaction_id: charge.interaction_id,
        attempt: charge.attempt,
        person: getName('user', person),
        paid_by: `${scope} ${getName(scope, payer)}`,
        provider: charge.provider,
        model: charge.model,
        basis: charge.basis,
        pricing_catalog_id: charge.pricing_catalog_id,
      });
      this.output.line('');
      await this.showList(false, { items: chargeRows(statement) }, CHARGE_ROW_COLUMNS, 'No lines');
    }
    if (statement.is_admission_estimate)
      this.output.say('There is no reported or estimated usage: the amount is the estimate of the admission');
    if (statement.differs)
      throw new CommandFailedError(
        `charged_usd: is ${charge.charged_usd}, but the sum of the lines is ${statement.computed_usd}`,
        ['gatehouse admin charges verify   for the charges of a time range'],
      );
  }
}

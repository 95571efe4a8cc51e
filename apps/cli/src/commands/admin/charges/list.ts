import { Flags } from '@oclif/core';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';
import { chargeColumns } from '../../../views/spend-columns.ts';
import {
  formerPayerFlags,
  definedOnly,
  PAYER_ORDER,
  payerFlags,
  refuseFormerPayer,
  streamFlags,
  timeFlags,
  parseTimeRange,
} from '../../../flags/spend-flags.ts';
import { writeStreamedResponse } from '../../../services/manager/streamed-responses.ts';
import { allCharges, listCharges, findPayer } from '../../../services/manager/spend.ts';

/** `gatehouse admin charges list`. */
export default class AdminChargesList extends ManagerCommand {
  static override hiddenAliases = ['admin:charges:ls'];
  static override summary = 'list charges, newest first';
  static override description = `${PAYER_ORDER} Charges are filtered by payer, not by the user that made the request: admin usage list --user lists the requests of a user.`;
  static override examples = [
    '<%= config.bin %> admin charges list',
    '<%= config.bin %> admin charges list --payer-group engineers --from 24h',
    '<%= config.bin %> admin charges list --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z --output november.ndjson',
  ];
  static override flags = {
    ...listFlags,
    ...streamFlags,
    ...timeFlags,
    ...payerFlags,
    ...formerPayerFlags,
    model: Flags.string({ description: 'exact name of the model' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminChargesList);
    refuseFormerPayer(flags, `gatehouse admin usage list --user ${flags.user}`);
    const manager = await this.manager(flags);
    const filter = {
      ...parseTimeRange(flags),
      ...definedOnly({ model: flags.model }),
      ...(await findPayer(manager, flags)),
    };
    if (flags.ndjson || flags.output !== undefined)
      await writeStreamedResponse(manager, allCharges(filter), flags.output, this.interruption());
    else {
      const charges = await listCharges(manager, filter, flags);
      const subjects = charges.items.flatMap((charge) => [
        { scope: 'user' as const, subject_id: charge.auth_subject },
        charge,
      ]);
      const getName = await this.fetchNames(flags.json, manager, subjects);
      await this.showList(flags.json, charges, chargeColumns(getName), 'No charges');
    }
  }
}

import { Flags } from '@oclif/core';
import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';
import { CALL_COLUMNS, gatewayFlags, usageFilter } from '../../../flags/metering-flags.ts';
import { connectorId } from '../../../services/manager/connectors.ts';
import { listActivity } from '../../../services/manager/metering.ts';
import { findUser } from '../../../services/manager/users.ts';
import { definedOnly } from '../../../flags/spend-flags.ts';

/** `gatehouse admin metering activity`. */
export default class AdminMeteringActivity extends ManagerCommand {
  static override summary = 'list the calls of a connector, newest first';
  static override examples = ['<%= config.bin %> admin metering activity search --decision denied --from 24h'];
  static override args = { ...connectorArg };
  static override flags = {
    ...listFlags,
    ...gatewayFlags,
    user: Flags.string({ description: 'only calls of this user: id, user name or e-mail' }),
    outcome: Flags.option({ description: 'result of the call', options: ['ok', 'error'] as const })(),
    decision: Flags.option({ description: 'decision of the policy', options: ['allowed', 'denied'] as const })(),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminMeteringActivity);
    const filter = usageFilter(flags);
    const manager = await this.manager(flags);
    const user_id = flags.user === undefined ? undefined : (await findUser(manager, flags.user)).id;
    const connector = await connectorId(manager, connectorRef(args, flags));
    const { outcome, decision } = flags;
    const wanted = { ...filter, ...definedOnly({ user_id, outcome, decision }) };
    await this.showList(flags.json, await listActivity(manager, connector, wanted, flags), CALL_COLUMNS, 'No calls');
  }
}

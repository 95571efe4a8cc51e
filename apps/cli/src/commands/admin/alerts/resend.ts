import { Args } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { findAlert, resendDelivery } from '../../../services/manager/alerts.ts';

/** `gatehouse admin alerts resend`. */
export default class AdminAlertsResend extends ManagerCommand {
  static override summary = 'send a delivery again with the same webhook-id';
  static override examples = ['<%= config.bin %> admin alerts resend finance 0199c0de-0000-7000-8000-000000000001'];
  static override args = {
    alert: Args.string({ required: true, ignoreStdin: true, description: 'alert: id or name' }),
    delivery: Args.string({ required: true, ignoreStdin: true, description: 'delivery: id' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAlertsResend);
    const manager = await this.manager(flags);
    const delivery = await resendDelivery(manager, await findAlert(manager, args.alert), args.delivery);
    if (flags.json) this.output.json(delivery);
    else this.output.say(`The delivery ${delivery.id} will be sent again`);
  }
}

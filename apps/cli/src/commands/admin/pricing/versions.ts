import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';
import { PRICING_VERSION_COLUMNS } from '../../../views/pricing-view.ts';
import { pricingVersions } from '../../../services/manager/pricing.ts';

/** `gatehouse admin pricing versions`. */
export default class AdminPricingVersions extends ManagerCommand {
  static override summary = 'list the versions of the pricing catalog, newest first';
  static override examples = ['<%= config.bin %> admin pricing versions'];
  static override flags = { ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminPricingVersions);
    const versions = await pricingVersions(await this.manager(flags), flags);
    await this.showList(flags.json, versions, PRICING_VERSION_COLUMNS, 'No versions');
  }
}

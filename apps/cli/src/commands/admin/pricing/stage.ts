import { Flags } from '@oclif/core';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { LARGEST_CATALOG, pricesMatchFlag } from '../../../views/pricing-view.ts';
import { inputObject } from '../../../json/input.ts';
import { pricedByReleases, putPricingCatalog } from '../../../services/manager/pricing.ts';

/** `gatehouse admin pricing stage`. */
export default class AdminPricingStage extends ManagerCommand {
  static override summary = 'stage a whole pricing catalog, which comes into effect later';
  static override description = `Takes the JSON of admin pricing show --json. Until then, or until admin pricing unstage, prices cannot be written.`;
  static override examples = ['<%= config.bin %> admin pricing stage --file prices.json --from 2027-01-01T00:00:00Z'];
  static override flags = {
    from: Flags.string({ required: true, description: 'time at which it comes into effect (RFC 3339)' }),
    file: Flags.string({ description: 'file with the catalog (default: standard input)' }),
    ...pricesMatchFlag,
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminPricingStage);
    const manager = await this.manager(flags);
    const catalog = await inputObject(flags.file, 'pricing catalog', LARGEST_CATALOG);
    const { from } = flags;
    if (!flags.yes && (await pricedByReleases(manager)))
      await this.confirmUnless(
        false,
        `This is the first own catalog: unless it is unstaged in time, it ends the prices of releases permanently. Stage it at ${manager.url}?`,
      );
    const { id, state, effective_from } = await putPricingCatalog(manager, catalog, { from, etag: flags['if-match'] });
    this.showDone(flags.json, { id, status: state }, `Version ${id} comes into effect at ${effective_from}`);
  }
}

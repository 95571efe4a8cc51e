import { Flags } from '@oclif/core';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { LARGEST_CATALOG, pricesMatchFlag } from '../../../views/pricing-view.ts';
import { inputObject } from '../../../json/input.ts';
import { pricedByReleases, putPricingCatalog } from '../../../services/manager/pricing.ts';

/** `gatehouse admin pricing stage`. */
export default class AdminPricingStage extends ManagerCommand {
  static override summary = 'stage a whole pricing catalog, which takes effect later';
  static override description = `Reads the JSON of admin pricing show --json. Until the version takes effect or is unstaged, prices cannot be changed.`;
  static override examples = ['<%= config.bin %> admin pricing stage --file prices.json --from 2027-01-01T00:00:00Z'];
  static override flags = {
    from: Flags.string({ required: true, description: 'time at which it takes effect (RFC 3339)' }),
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
        `This is the first own catalog: unless you unstage it in time, it replaces the prices of releases permanently. Stage it at ${manager.url}?`,
      );
    const { id, state, effective_from } = await putPricingCatalog(manager, catalog, { from, etag: flags['if-match'] });
    this.showDone(flags.json, { id, status: state }, `Version ${id} takes effect at ${effective_from}`);
  }
}

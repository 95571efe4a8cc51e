import { WorkloadCommand } from '../../base/workload-command.ts';

/** `gatehouse image prune`. */
export default class ImagePrune extends WorkloadCommand {
  static override summary = 'remove the built images that no workload uses';
  static override examples = ['<%= config.bin %> image prune'];

  async run(): Promise<void> {
    const { flags } = await this.read(ImagePrune);
    const removed = await this.workloads().pruneImages();
    if (flags.json) this.output.json(removed.map((image) => ({ image, status: 'removed' })));
    else if (removed.length === 0) this.output.say('Each built image is used by a workload');
    else for (const image of removed) this.output.line(image);
  }
}

import { WorkloadCommand } from '../../base/workload-command.ts';
import { terminal } from '../../config/config.ts';
import { formatAge } from '../../terminal/output.ts';

/** `gatehouse image list`. */
export default class ImageList extends WorkloadCommand {
  static override hiddenAliases = ['image:ls'];
  static override summary = 'list the images that were built from packages';
  static override examples = ['<%= config.bin %> image list', '<%= config.bin %> image list --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(ImageList);
    const images = await this.workloads().listImages();
    if (flags.json) {
      this.output.json(images);
      return;
    }
    if (images.length === 0) {
      this.output.say('No images were built');
      return;
    }
    const { formatTable } = await import('../../terminal/table.ts');
    const now = new Date();
    const rows = images.map(({ source, image, size, created_at, workloads }) => [
      source,
      image,
      `${Math.round(size / 1e6)} MB`,
      workloads.join(', ') || '-',
      formatAge(created_at, now),
    ]);
    this.output.line(
      formatTable(
        ['PACKAGE', 'IMAGE', 'SIZE', 'WORKLOADS', 'CREATED'],
        rows,
        process.stdout.isTTY && terminal().colours,
        { spare: ['CREATED', 'SIZE', 'WORKLOADS'] },
      ),
    );
  }
}

import { Flags } from '@oclif/core';
import { WorkloadCommand } from '../../base/workload-command.ts';
import { withProgress } from '../../terminal/progress.ts';

/** `gatehouse image proxy`. */
export default class ImageProxy extends WorkloadCommand {
  static override summary = 'build the image of the proxy for Kubernetes';
  static override description = `Builds the image from this command line unless the container engine has it, and prints its name.
run builds and pushes it by itself when the setting kubernetes.registry names a registry.`;
  static override examples = [
    '<%= config.bin %> image proxy',
    '<%= config.bin %> image proxy --push',
    'kind load docker-image "$(<%= config.bin %> image proxy)"',
  ];
  static override flags = {
    push: Flags.boolean({ description: 'push it to the registry of the setting kubernetes.registry' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(ImageProxy);
    const abort = this.interruption();
    const image = await withProgress('Building the image of the proxy', ({ step, note }) =>
      this.workloads().buildProxyImage(flags.push, { progress: step, warn: note, abort }),
    );
    if (flags.json) this.output.json({ image });
    else this.output.line(image);
  }
}

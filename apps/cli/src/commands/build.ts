import { Args, Flags } from '@oclif/core';
import { planRequestedBuild } from '@gatehouse/workloads/builds/requested-build';
import { WorkloadCommand } from '../base/workload-command.ts';
import { buildFlags, toCamelCase } from '../flags/build-flags.ts';
import { addBuildDefaults } from '../services/settings/build-defaults.ts';
import { withProgress } from '../terminal/progress.ts';

/** `gatehouse build`. */
export default class Build extends WorkloadCommand {
  static override summary = 'build the image of a package';
  static override description = `Builds the image that run uses for a uvx://, npx:// or go:// package, also when it exists: a package without a version gets its newest version. Prints the name of the image.`;
  static override examples = [
    '<%= config.bin %> build npx://@modelcontextprotocol/server-everything',
    '<%= config.bin %> build uvx://mcp-server-time@2026.10.19 --build-with "pydantic<3"',
    '<%= config.bin %> build go://./server --dry-run',
  ];
  static override args = {
    package: Args.string({ required: true, ignoreStdin: true, description: 'package: uvx://, npx:// or go://' }),
  };
  static override flags = {
    ...buildFlags,
    'dry-run': Flags.boolean({ description: 'print the Dockerfile and its files, and build nothing' }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(Build);
    const defaults = addBuildDefaults(args.package, toCamelCase(flags), this.home());
    const plan = await planRequestedBuild(args.package, defaults, process.cwd());
    if (flags['dry-run']) {
      const { image, dockerfile, files } = plan;
      if (flags.json) this.output.json({ image, dockerfile, files });
      else
        for (const { name, content } of [{ name: 'Dockerfile', content: dockerfile }, ...files])
          this.output.line(`# ${name}\n${content}`);
      return;
    }
    const image = await withProgress(`Building ${args.package}`, ({ step, note }) =>
      this.workloads().build(plan, { progress: step, warn: note, abort: this.interruption() }),
    );
    if (flags.json) this.output.json({ image });
    else this.output.line(image);
  }
}

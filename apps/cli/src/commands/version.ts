import { GatehouseCommand } from '../base/base-command.ts';

/** `gatehouse version`. */
export default class Version extends GatehouseCommand {
  static override summary = 'show the version of gatehouse';
  static override examples = ['<%= config.bin %> version', '<%= config.bin %> version --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(Version);
    const { version } = this.config;
    if (flags.json)
      this.output.json({ version, node: process.version, platform: `${process.platform}-${process.arch}` });
    else this.output.line(`gatehouse ${version}`);
  }
}

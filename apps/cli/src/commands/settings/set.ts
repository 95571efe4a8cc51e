import { Args } from '@oclif/core';
import { SettingsCommand } from '../../base/settings-command.ts';

/** `gatehouse settings set`. */
export default class SettingsSet extends SettingsCommand {
  static override summary = 'change a setting of the command line';
  static override description = `Flags and environment variables have precedence over settings. Settings apply to workloads that are created later. Lists are written with commas.`;
  static override examples = [
    '<%= config.bin %> settings set runtime.npx.image node:22-alpine',
    '<%= config.bin %> settings set runtime.uvx.packages git,openssh-client',
    '<%= config.bin %> settings set ca_certificate ./company-ca.pem',
    '<%= config.bin %> settings set engine unix:///run/podman/podman.sock',
  ];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'key of the setting' }),
    value: Args.string({ required: true, ignoreStdin: true, description: 'new value' }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(SettingsSet);
    const { setSetting } = await import('../../services/settings/settings.ts');
    await this.report(await setSetting(args.key, args.value, process.cwd(), this.cliConfig()), flags.json);
  }
}

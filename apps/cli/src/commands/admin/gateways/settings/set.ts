import { Args } from '@oclif/core';
import { ManagerCommand } from '../../../../base/manager-command.ts';
import { gatewayFlag } from '../../../../flags/gateway-flag.ts';
import { setGatewaySettings } from '../../../../services/manager/gateway-settings/set-settings.ts';
import { parseSettingChange } from '../../../../services/manager/gateway-settings/settings-changes.ts';

/** `gatehouse admin gateways settings set`. */
export default class AdminGatewaysSettingsSet extends ManagerCommand {
  static override summary = 'change single settings of a connector gateway; null removes a limit';
  static override description =
    'All other settings stay. All replicas of the gateway apply the change within a second. connectors.ID=null removes the settings of a connector, so that those of the gateway apply.';
  static override examples = [
    '<%= config.bin %> admin gateways settings set limits.calls_per_minute_per_person=60',
    '<%= config.bin %> admin gateways settings set limits.max_result_bytes=null limits.sessions_per_person=5',
    `<%= config.bin %> admin gateways settings set 'content.redaction_patterns=["AKIA[0-9A-Z]{16}"]'`,
    '<%= config.bin %> admin gateways settings set connectors.0197a3c2-2b9c-71d5-aff2-f15eb4bb768a.limits.calls_per_minute_per_tool=10',
  ];
  static override strict = false;
  static override args = {
    setting: Args.string({
      ignoreStdin: true,
      required: true,
      description: 'one or more settings, each as NAME=VALUE; the value is JSON',
    }),
  };
  static override flags = { ...gatewayFlag };

  async run(): Promise<void> {
    const { names, flags } = await this.read(AdminGatewaysSettingsSet);
    const changes = names.map(parseSettingChange);
    const { settings } = await setGatewaySettings(await this.manager(flags), flags.gateway, changes);
    if (flags.json) this.output.json(settings);
    else this.output.say(`The settings of the gateway ${flags.gateway} are changed`);
  }
}

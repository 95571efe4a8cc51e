import { ManagerCommand } from '../../../../base/manager-command.ts';
import { gatewayFlag } from '../../../../flags/gateway-flag.ts';
import { readGatewaySettings } from '../../../../services/manager/gateway-settings/gateway-settings.ts';
import { formatYaml } from '../../../../yaml/yaml-text.ts';

/** `gatehouse admin gateways settings show`. */
export default class AdminGatewaysSettingsShow extends ManagerCommand {
  static override hiddenAliases = ['admin:gateways:settings:get'];
  static override summary = 'show the settings of a connector gateway; null is unlimited';
  static override examples = ['<%= config.bin %> admin gateways settings show --gateway eu-connectors'];
  static override flags = { ...gatewayFlag };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminGatewaysSettingsShow);
    const { settings } = await readGatewaySettings(await this.manager(flags), flags.gateway);
    if (flags.json) this.output.json(settings);
    else this.output.line(formatYaml(settings).trimEnd());
  }
}

import { Flags } from '@oclif/core';
import { connectorArg, connectorRef } from '../../flags/connector-flags.ts';
import { gatewayFlag } from '../../flags/gateway-flag.ts';
import { ownConnector, switchTools } from '../../services/manager/own-connectors.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse connectors tools`. */
export default class ConnectorsTools extends ManagerCommand {
  static override summary = 'show or set the tools of a connector that are enabled for you';
  static override description = `The default applies to all tools except the exceptions, which have the opposite setting. Omitted settings stay. Exceptions that match no tool are kept and reported.`;
  static override examples = [
    '<%= config.bin %> connectors tools search --except delete_index',
    '<%= config.bin %> connectors tools search --default off --except find --except read',
    '<%= config.bin %> connectors tools search --default on --no-exceptions',
  ];
  static override args = { ...connectorArg };
  static override flags = {
    ...gatewayFlag,
    default: Flags.string({ description: 'default setting of tools', options: ['on', 'off'] }),
    except: Flags.string({
      multiple: true,
      description: 'name of a tool with the opposite setting; may be repeated',
      exclusive: ['no-exceptions'],
    }),
    'no-exceptions': Flags.boolean({ description: 'remove all exceptions' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(ConnectorsTools);
    const manager = await this.manager(flags);
    const ref = connectorRef(args, flags);
    const except = flags['no-exceptions'] ? [] : flags.except;
    const on = flags.default === undefined ? undefined : flags.default === 'on';
    const reading = on === undefined && except === undefined;
    const { connector, connection } = await (reading
      ? ownConnector(manager, ref)
      : switchTools(manager, ref, { on, except }));
    this.showOne(flags.json, {
      connector: connector.slug,
      enabled: connection?.enabled ?? false,
      tools_enabled_by_default: connection?.tools_enabled_by_default ?? true,
      tools_exception_list: connection?.tools_exception_list ?? [],
      unknown_tools: connection?.unknown_tools,
    });
    const unknown = connection?.unknown_tools ?? [];
    if (unknown.length > 0 && !flags.json) this.output.say(`${connector.slug} has no tool ${unknown.join(', ')}`);
  }
}

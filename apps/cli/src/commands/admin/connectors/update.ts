import { Flags } from '@oclif/core';
import {
  authWords,
  connectorArg,
  connectorChange,
  connectorFlags,
  connectorRef,
} from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { requireReachable, updateConnector } from '../../../services/manager/connectors.ts';
import { inputObject } from '../../../json/input.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin connectors update`. */
export default class AdminConnectorsUpdate extends ManagerCommand {
  static override summary = 'change the given fields of a connector';
  static override description = `Omitted fields and secrets stay unchanged; null in a file removes a field. The endpoint of a published connector is checked again. The command refuses to overwrite concurrent changes.`;
  static override examples = [
    '<%= config.bin %> admin connectors update search --endpoint https://mcp.example.org/mcp',
    '<%= config.bin %> admin connectors update search --file auth.json',
  ];
  static override args = { ...connectorArg };
  static override flags = {
    ...gatewayFlag,
    ...connectorFlags,
    name: Flags.string({ description: 'new name; the slug stays' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectorsUpdate);
    const file = flags.file === undefined ? {} : (await inputObject(flags.file, 'connector')).object;
    const change = { ...file, ...(flags.name !== undefined && { name: flags.name }), ...connectorChange(flags) };
    const ref = connectorRef(args, flags);
    const updated = await updateConnector(await this.manager(flags), ref, change, authWords(flags));
    this.showOne(flags.json, updated);
    requireReachable(updated);
  }
}

import { Args, Flags } from '@oclif/core';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { admitServer } from '../../../services/manager/discovery.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin discovery admit`. */
export default class AdminDiscoveryAdmit extends ManagerCommand {
  static override summary = 'create a connector from an MCP server that runs in the cluster';
  static override examples = [
    '<%= config.bin %> admin discovery admit tools/search',
    '<%= config.bin %> admin discovery admit tools/search --name Search --publish',
  ];
  static override args = {
    server: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'server: id, namespace/name or name',
    }),
  };
  static override flags = {
    ...gatewayFlag,
    name: Flags.string({ description: 'name of the connector (default: that of the server)' }),
    publish: Flags.boolean({
      description: 'check the endpoint and publish the connector, instead of creating a draft',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminDiscoveryAdmit);
    const wanted = { ...(flags.name !== undefined && { name: flags.name }), draft: !flags.publish };
    this.showOne(flags.json, await admitServer(await this.manager(flags), flags.gateway, args.server, wanted));
  }
}

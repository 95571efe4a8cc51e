import { Args, Flags } from '@oclif/core';
import { authWords, connectorChange, connectorFlags } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { createConnector, requireReachable } from '../../../services/manager/connectors.ts';
import { inputObject } from '../../../json/input.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin connectors create`. */
export default class AdminConnectorsCreate extends ManagerCommand {
  static override summary = 'create a connector as a draft; users see it once it is published';
  static override description = `A file can contain any field of a connector, including every type of authentication. Flags override the fields of the file. Secrets are references: \`admin secrets create\` stores a secret, or a file refers to a Secret in the cluster of the gateway (\`kubernetes_secret\`: name, namespace, key).`;
  static override examples = [
    '<%= config.bin %> admin connectors create Search --endpoint https://mcp.example.com/mcp --publish',
    '<%= config.bin %> admin connectors create GitHub --endpoint https://api.example.com/mcp --auth bearerToken --secret github-token',
    '<%= config.bin %> admin connectors create --file connector.json',
  ];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of the connector' }),
  };
  static override flags = {
    ...gatewayFlag,
    ...connectorFlags,
    publish: Flags.boolean({ description: 'check the endpoint and publish the connector' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminConnectorsCreate);
    const file = flags.file === undefined ? {} : (await inputObject(flags.file, 'connector')).object;
    const fields = {
      ...file,
      ...(args.name !== undefined && { name: args.name }),
      ...connectorChange(flags),
      ...(flags.publish && { draft: false }),
    };
    const made = await createConnector(await this.manager(flags), flags.gateway, fields, authWords(flags));
    this.showOne(flags.json, made);
    requireReachable(made);
  }
}

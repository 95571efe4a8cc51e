import { Args, Flags } from '@oclif/core';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { inputObject, inputText } from '../../../json/input.ts';
import { simulate } from '../../../services/manager/policies.ts';

const ACTIONS = ['connect', 'list_tools', 'call_tool', 'get_prompt', 'read_resource'] as const;

/** `gatehouse admin policy simulate`. */
export default class AdminPolicySimulate extends ManagerCommand {
  static override summary = 'simulate the decision of a policy and show its reasons';
  static override description = `Decides like a gateway, without a change or a record. The result contains the policies that decided.`;
  static override examples = [
    '<%= config.bin %> admin policy simulate github call_tool create_issue --user alice',
    '<%= config.bin %> admin policy simulate github connect --group engineers --claims claims.json',
    '<%= config.bin %> admin policy simulate github connect --user alice --document new.cedar',
  ];
  static override args = {
    ...connectorArg,
    action: Args.string({
      required: true,
      ignoreStdin: true,
      options: [...ACTIONS],
      description: 'action of the simulated request',
    }),
    resource: Args.string({ ignoreStdin: true, description: 'name of the tool or prompt, or URI of the resource' }),
  };
  static override flags = {
    ...gatewayFlag,
    user: Flags.string({ description: 'user of the simulated request: id, user name or e-mail', exclusive: ['group'] }),
    group: Flags.string({ multiple: true, description: 'group of the simulated user; may be repeated' }),
    claims: Flags.string({ description: 'file with the claims of the token as a JSON object' }),
    document: Flags.string({ description: 'file with a Cedar document to simulate' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPolicySimulate);
    const action = ACTIONS.find((one) => one === args.action) ?? 'connect';
    const claims = flags.claims === undefined ? undefined : (await inputObject(flags.claims, 'claims')).object;
    const document = flags.document === undefined ? undefined : await inputText(flags.document, 'Cedar document');
    const question = { user: flags.user, groups: flags.group, action, resource: args.resource, document };
    const verdict = await simulate(await this.manager(flags), connectorRef(args, flags), {
      ...question,
      ...(claims && { claims }),
    });
    this.showOne(flags.json, verdict);
  }
}

import { AiGatewayCommand } from '../../../base/ai-gateway-command.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { policyArg } from '../../../flags/policy-flags.ts';
import { deletePolicy, readPolicy } from '../../../services/ai-gateway/policies.ts';

/** `gatehouse admin ai-policies delete`. */
export default class AdminAiPoliciesDelete extends AiGatewayCommand {
  static override summary = 'delete an AI policy, which ends its grants of models';
  static override description = 'The command does not delete a policy that others changed after it was read.';
  static override examples = ['<%= config.bin %> admin ai-policies delete engineering'];
  static override args = { ...policyArg };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAiPoliciesDelete);
    const management = await this.management(flags);
    const { data, etag } = await readPolicy(management, args.name);
    const gateway = data.spec.gatewayRef.name;
    await this.confirmUnless(
      flags.yes,
      `Delete the AI policy ${args.name} of the gateway ${gateway} at ${management.url}?`,
    );
    await deletePolicy(management, args.name, etag);
    this.showDone(flags.json, { id: args.name, status: 'deleted' }, `${args.name} is deleted`);
  }
}

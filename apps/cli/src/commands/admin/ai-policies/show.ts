import { AiGatewayCommand } from '../../../base/ai-gateway-command.ts';
import { policyArg } from '../../../flags/policy-flags.ts';
import { readPolicy } from '../../../services/ai-gateway/policies.ts';

/** `gatehouse admin ai-policies show`. */
export default class AdminAiPoliciesShow extends AiGatewayCommand {
  static override hiddenAliases = ['admin:ai-policies:get'];
  static override summary = 'show an AI policy and its status, as YAML';
  static override examples = [
    '<%= config.bin %> admin ai-policies show engineering',
    '<%= config.bin %> admin ai-policies show engineering > policy.yaml',
  ];
  static override args = { ...policyArg };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAiPoliciesShow);
    const { data } = await readPolicy(await this.management(flags), args.name);
    await this.showPolicy(flags.json, data);
  }
}

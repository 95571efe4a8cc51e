import { Flags } from '@oclif/core';
import { AiGatewayCommand } from '../../../base/ai-gateway-command.ts';
import { listFlags } from '../../../base/manager-command.ts';
import { listPolicies } from '../../../services/ai-gateway/policies.ts';
import { createPolicyColumns } from '../../../views/policy-columns.ts';

/** `gatehouse admin ai-policies list`. */
export default class AdminAiPoliciesList extends AiGatewayCommand {
  static override hiddenAliases = ['admin:ai-policies:ls'];
  static override summary = 'list the AI policies of the namespace';
  static override description =
    'MATCHERS are the claims of the users to which a policy applies, and MODELS the models that it grants; * is all models. ACCEPTED shows whether the AI gateway of the policy exists, and which references cannot be resolved.';
  static override examples = [
    '<%= config.bin %> admin ai-policies list',
    "<%= config.bin %> admin ai-policies list --label 'team in (support,sales)'",
    '<%= config.bin %> admin ai-policies list --gateway local --all --json',
  ];
  static override flags = {
    label: Flags.string({ description: 'only policies with these labels: a label selector of Kubernetes' }),
    gateway: Flags.string({ description: 'only policies of the AI gateway with this name' }),
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminAiPoliciesList);
    const policies = await listPolicies(await this.management(flags), flags, flags);
    await this.showList(flags.json, policies, createPolicyColumns(new Date()), 'No AI policies');
  }
}

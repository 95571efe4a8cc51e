import { Args, Flags } from '@oclif/core';
import { AiGatewayCommand } from '../../../base/ai-gateway-command.ts';
import { inputText } from '../../../json/input.ts';
import { readGateway } from '../../../services/ai-gateway/gateway.ts';
import { buildPolicy, withGateway } from '../../../services/ai-gateway/new-policy.ts';
import { createPolicy } from '../../../services/ai-gateway/policies.ts';

/** `gatehouse admin ai-policies create`. */
export default class AdminAiPoliciesCreate extends AiGatewayCommand {
  static override summary = 'create an AI policy that grants models to users';
  static override description =
    'A policy applies to a user whose access token one of its matchers matches. A matcher is written like the query of an address: claims joined by &, of which all must match, with %26, %3D, %2B and %25 for the characters & = + and %. A file can contain any field of an AIPolicy; flags override the fields of the file.';
  static override examples = [
    '<%= config.bin %> admin ai-policies create engineering --match groups=engineering --grant gpt-5.4 --grant claude-opus-5',
    "<%= config.bin %> admin ai-policies create everyone --match 'email_verified=true&groups=staff' --grant '*'",
    '<%= config.bin %> admin ai-policies create --file policy.yaml',
  ];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of the AI policy (default: that of the file)' }),
  };
  static override flags = {
    file: Flags.string({ description: 'file with the whole AIPolicy as YAML or JSON; - is standard input' }),
    gateway: Flags.string({ description: 'AI gateway of the policy (default: that of the management service)' }),
    description: Flags.string({ description: 'description for administrators' }),
    match: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'claims of the users: one matcher; may be repeated, one of the matchers must match',
    }),
    grant: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'model to grant, * grants all; may be repeated',
    }),
    label: Flags.string({ multiple: true, multipleNonGreedy: true, description: 'label KEY=VALUE; may be repeated' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAiPoliciesCreate);
    const file = flags.file === undefined ? undefined : await inputText(flags.file, 'AI policy');
    const { policy, hasGateway, sources } = buildPolicy({ ...flags, name: args.name }, file);
    const management = await this.management(flags);
    const whole = hasGateway ? policy : withGateway(policy, (await readGateway(management)).name);
    const created = await createPolicy(management, whole, sources);
    await this.showPolicy(flags.json, created);
    this.warnOfConditions(created);
  }
}

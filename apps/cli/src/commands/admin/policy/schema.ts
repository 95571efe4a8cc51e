import { printableLines } from '../../../terminal/output.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { policySchema } from '../../../services/manager/policies.ts';

/** `gatehouse admin policy schema`. */
export default class AdminPolicySchema extends ManagerCommand {
  static override summary = 'print the Cedar schema that policies are validated against';
  static override examples = ['<%= config.bin %> admin policy schema > gatehouse.cedarschema'];

  async run(): Promise<void> {
    const { flags } = await this.read(AdminPolicySchema);
    const schema = await policySchema(await this.manager(flags));
    if (flags.json) this.output.json(schema);
    else this.output.line(printableLines(schema.schema.trimEnd()));
  }
}

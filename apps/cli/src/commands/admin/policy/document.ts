import { Flags } from '@oclif/core';
import { printableLines } from '../../../terminal/output.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';
import { connectorArg, connectorRef } from '../../../flags/connector-flags.ts';
import { gatewayFlag } from '../../../flags/gateway-flag.ts';
import { inputText } from '../../../json/input.ts';
import { getPolicy, setDocument } from '../../../services/manager/policies.ts';

/** `gatehouse admin policy document`. */
export default class AdminPolicyDocument extends ManagerCommand {
  static override summary = 'print the Cedar document of a policy, or set it';
  static override description = `A document can be set only for a policy in Cedar; \`admin policy simulate --document\` simulates it first.`;
  static override examples = [
    '<%= config.bin %> admin policy document github > github.cedar',
    '<%= config.bin %> admin policy document github --file github.cedar',
  ];
  static override args = { ...connectorArg };
  static override flags = {
    ...gatewayFlag,
    file: Flags.string({ description: 'file with the new document; - is standard input' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminPolicyDocument);
    const ref = connectorRef(args, flags);
    if (flags.file === undefined) {
      const policy = await getPolicy(await this.manager(flags), ref);
      if (flags.json) this.output.json(policy);
      else this.output.line(printableLines(policy.document));
      return;
    }
    const document = await inputText(flags.file, 'Cedar document');
    const policy = await setDocument(await this.manager(flags), ref, document);
    this.showDone(
      flags.json,
      { id: policy.connector_id, status: 'set' },
      `The policy of ${args.connector} is replaced`,
    );
  }
}

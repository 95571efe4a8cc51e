import { Flags } from '@oclif/core';
import { AiGatewayCommand } from '../../../base/ai-gateway-command.ts';
import { readEditorCommand } from '../../../config/config.ts';
import { policyArg } from '../../../flags/policy-flags.ts';
import { inputText } from '../../../json/input.ts';
import { applyPolicyFile, editPolicy, type EditOutcome } from '../../../services/ai-gateway/edit/edit-policy.ts';
import { editWithFile } from '../../../services/edit/edit-with-file.ts';
import { getDefaultEditor } from '../../../terminal/editor.ts';

/** `gatehouse admin ai-policies edit`. */
export default class AdminAiPoliciesEdit extends AiGatewayCommand {
  static override summary = 'change the description, the matchers and the MCP servers of an AI policy';
  static override description =
    'Opens the editor of VISUAL or EDITOR, else vi, and sends what you changed. The command never overwrites a change of others without asking, and it keeps your text when it cannot be sent.';
  static override examples = [
    '<%= config.bin %> admin ai-policies edit engineering',
    "EDITOR='code --wait' <%= config.bin %> admin ai-policies edit engineering",
    '<%= config.bin %> admin ai-policies edit engineering --file policy.yaml',
  ];
  static override args = { ...policyArg };
  static override flags = {
    file: Flags.string({
      description:
        'file with the edited fields, or with a whole AIPolicy, as YAML or JSON; a field that it omits is removed; - is standard input',
    }),
    'if-match': Flags.string({
      dependsOn: ['file'],
      description: 'change only this metadata.resourceVersion of the policy (default: that of the file, else any)',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(AdminAiPoliciesEdit);
    const management = await this.management(flags);
    const outcome =
      flags.file === undefined
        ? await editWithFile({
            stem: 'policy',
            command: readEditorCommand() ?? getDefaultEditor(),
            say: this.output.say,
            run: (editor) => editPolicy(management, args.name, editor),
            getRetryCommand: (path, version) =>
              `gatehouse admin ai-policies edit ${args.name} --file ${path}${version === undefined ? '' : ` --if-match ${version}`}`,
          })
        : await applyPolicyFile(management, args.name, await inputText(flags.file, 'AI policy'), flags['if-match']);
    this.#show(flags.json, args.name, outcome);
  }

  #show(json: boolean, name: string, outcome: EditOutcome): void {
    if (outcome.kind === 'unchanged') {
      this.showDone(json, { id: name, status: 'unchanged' }, `The AI policy ${name} is unchanged; nothing was sent`);
      return;
    }
    const { changed, state } = outcome;
    if (json) this.output.json(state.data);
    else this.output.say(`The AI policy ${name} is changed: ${changed.join(', ')}`);
    this.warnOfConditions(state.data);
  }
}

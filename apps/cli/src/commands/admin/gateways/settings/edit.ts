import { Flags } from '@oclif/core';
import { ManagerCommand } from '../../../../base/manager-command.ts';
import { readEditorCommand } from '../../../../config/config.ts';
import { gatewayFlag } from '../../../../flags/gateway-flag.ts';
import { inputText } from '../../../../json/input.ts';
import { editWithFile } from '../../../../services/edit/edit-with-file.ts';
import {
  applySettingsFile,
  editGatewaySettings,
  type SettingsOutcome,
} from '../../../../services/manager/gateway-settings/edit-settings.ts';
import type { Manager } from '../../../../services/manager/manager.ts';
import { getDefaultEditor } from '../../../../terminal/editor.ts';

/** `gatehouse admin gateways settings edit`. */
export default class AdminGatewaysSettingsEdit extends ManagerCommand {
  static override summary = 'edit all settings of a connector gateway';
  static override description =
    'Opens the editor of VISUAL or EDITOR, else vi, and sends what you changed. The command never overwrites a change of others without asking, and it keeps your text when it cannot be sent.';
  static override examples = [
    '<%= config.bin %> admin gateways settings edit',
    '<%= config.bin %> admin gateways settings edit --file settings.yaml',
  ];
  static override flags = {
    ...gatewayFlag,
    file: Flags.string({ description: 'file with all settings as YAML or JSON; - is standard input' }),
    'if-match': Flags.string({
      dependsOn: ['file'],
      description: 'write only if the current ETag is this one (default: any)',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminGatewaysSettingsEdit);
    const { gateway, file } = flags;
    const manager = await this.manager(flags);
    const outcome =
      file === undefined
        ? await this.#edit(manager, gateway)
        : await applySettingsFile(manager, gateway, await inputText(file, 'settings'), flags['if-match']);
    const done = outcome === undefined ? 'unchanged; nothing was sent' : 'changed';
    if (outcome !== undefined && flags.json) this.output.json(outcome.settings);
    else
      this.showDone(
        flags.json,
        { id: gateway, status: 'unchanged' },
        `The settings of the gateway ${gateway} are ${done}`,
      );
  }

  #edit(manager: Manager, gateway: string): Promise<SettingsOutcome> {
    return editWithFile({
      stem: 'settings',
      command: readEditorCommand() ?? getDefaultEditor(),
      say: this.output.say,
      run: (editor) => editGatewaySettings(manager, gateway, editor),
      getRetryCommand: (path, etag) =>
        `gatehouse admin gateways settings edit --gateway ${gateway} --file ${path}${etag === undefined ? '' : ` --if-match '${etag}'`}`,
    });
  }
}

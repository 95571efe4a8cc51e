import { Flags } from '@oclif/core';
import { inputObject } from '../../../json/input.ts';
import { setClientConfig } from '../../../services/manager/client-config.ts';
import { yesFlag } from '../../../base/base-command.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin client-config set`. */
export default class AdminClientConfigSet extends ManagerCommand {
  static override summary = 'replace the configuration of clients';
  static override examples = ['<%= config.bin %> admin client-config set --file client-config.json'];
  static override flags = {
    ...yesFlag,
    file: Flags.string({ description: 'file with the document (default: standard input)' }),
    'if-match': Flags.string({ description: 'write only if the current ETag is this one' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminClientConfigSet);
    const manager = await this.manager(flags);
    const given = await inputObject(flags.file, 'client configuration');
    await this.confirmUnless(flags.yes, `Replace the configuration of all clients of ${manager.url}?`);
    const { document, etag } = await setClientConfig(manager, given, flags['if-match']);
    if (flags.json) this.output.json(document);
    else this.output.say(`Written; clients receive it at their next refresh. ETag ${etag}`);
  }
}

import { clientConfig } from '../../../services/manager/client-config.ts';
import { ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin client-config get`. */
export default class AdminClientConfigGet extends ManagerCommand {
  static override hiddenAliases = ['admin:client-config:show'];
  static override summary = 'show the configuration of clients';
  static override description = `Prints the document on stdout, and on stderr the ETag for admin client-config set --if-match.`;
  static override examples = ['<%= config.bin %> admin client-config get > client-config.json'];

  async run(): Promise<void> {
    const { flags } = await this.read(AdminClientConfigGet);
    const { document, etag } = await clientConfig(await this.manager(flags));
    this.output.json(document);
    this.output.say(`ETag ${etag}`);
  }
}

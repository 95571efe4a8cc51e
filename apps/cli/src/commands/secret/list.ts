import { SecretCommand } from '../../base/secret-command.ts';
import { terminal } from '../../config/config.ts';
import { printable } from '../../terminal/output.ts';

/** `gatehouse secret list`. */
export default class SecretList extends SecretCommand {
  static override hiddenAliases = ['secret:ls'];
  static override summary = 'list the names of secrets; never their values';
  static override description = `With 1Password, each line is an item; add the name of a field to read it: op://Private/GitHub/token.`;
  static override examples = ['<%= config.bin %> secret list', '<%= config.bin %> secret list --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(SecretList);
    const { listSecretNames } = await import('../../services/secret/stored-secrets.ts');
    const provider = await this.provider();
    const names = await listSecretNames(provider);
    if (flags.json) this.output.json(names.map((name) => ({ name })));
    else if (names.length === 0) this.output.say(printable(`No secrets in ${provider.title}`));
    else {
      const { formatTable } = await import('../../terminal/table.ts');
      const rows = names.map((name) => [printable(name)]);
      this.output.line(formatTable(['NAME'], rows, process.stdout.isTTY && terminal().colours));
    }
  }
}

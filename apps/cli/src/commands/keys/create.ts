import { Flags } from '@oclif/core';
import { createKey, parseLabels, parseSeconds } from '../../services/manager/keys.ts';
import { ManagerCommand } from '../../base/manager-command.ts';
import { loadCliConfig, managerEnvironment } from '../../config/config.ts';
import { printableLines } from '../../terminal/output.ts';
import { formatClientLines } from '../../views/client-lines.ts';

/** `gatehouse keys create`. */
export default class KeysCreate extends ManagerCommand {
  static override summary = 'create a virtual API key for yourself';
  static override description = `Prints the key to stdout, and all other messages to stderr: also the lines that make SDKs, Claude Code, Codex and Gemini CLI call the AI gateway with it. The key cannot be shown again.`;
  static override examples = [
    '<%= config.bin %> keys create --name laptop --ttl 2160h',
    '<%= config.bin %> keys create --name ci --label team=search > key.txt',
  ];
  static override flags = {
    name: Flags.string({ description: 'display name; it need not be unique' }),
    ttl: Flags.string({ description: 'lifetime, such as 24h; 0s means no expiry (default: no expiry)' }),
    label: Flags.string({
      description: 'label key=value; repeat the flag for several labels',
      multiple: true,
      multipleNonGreedy: true,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(KeysCreate);
    const { name, ttl, label = [] } = flags;
    const manager = await this.manager(flags);
    const clients = await this.describeClients(manager.url);
    const made = await createKey(manager, {
      ...(name !== undefined && { name }),
      ...(ttl !== undefined && { ttl_seconds: parseSeconds('--ttl', ttl) }),
      ...(label.length > 0 && { metadata: parseLabels(label) }),
    });
    this.showSecret(
      flags.json,
      made,
      `Key ${made.key.id} (${made.key.name}). The line on stdout is the key; it cannot be shown again.`,
    );
    if (!flags.json) this.output.say(printableLines(clients));
  }

  /** How clients of models use a key, if the address of the AI gateway is known. */
  private async describeClients(manager: string): Promise<string> {
    const { findAiGateway } = await import('../../services/manager/connect.ts');
    const { home } = loadCliConfig(this.config.root);
    const gateway = findAiGateway(home, manager, managerEnvironment());
    return gateway === undefined
      ? 'Set GATEHOUSE_AI_GATEWAY_URL to the address of the AI gateway to see how clients use a key'
      : formatClientLines(gateway);
  }
}

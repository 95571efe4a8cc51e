import { Args } from '@oclif/core';
import { findKey, rotateKey } from '../../services/manager/keys.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse keys rotate`. */
export default class KeysRotate extends ManagerCommand {
  static override summary = 'give one of your keys a new secret; the previous secret stays valid for 24 hours';
  static override description = `Prints the key with its new secret to stdout, and all other messages to stderr. The secret cannot be shown again. Only one previous secret is valid: a second rotation ends the one before it at once.`;
  static override examples = ['<%= config.bin %> keys rotate laptop > key.txt'];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'id, prefix or name of the key' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(KeysRotate);
    const manager = await this.manager(flags);
    const key = await findKey(manager, args.key);
    const made = await rotateKey(manager, key.id);
    const until = made.key.previous_secret_valid_until ?? 'now';
    this.showSecret(
      flags.json,
      made,
      `Key ${key.id} (${key.name}) has a new secret: the line on stdout. The previous secret works until ${until}.`,
    );
  }
}

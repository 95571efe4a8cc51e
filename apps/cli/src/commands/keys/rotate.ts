import { Args } from '@oclif/core';
import { findKey, rotateKey } from '../../services/manager/keys.ts';
import { ManagerCommand } from '../../manager-command.ts';

/** `gatehouse keys rotate`. */
export default class KeysRotate extends ManagerCommand {
  static override summary = 'give one of your keys a new secret; the old one works for another 24 hours';
  static override description = `Prints the key on stdout, this once; everything else goes to stderr. A second rotation within the 24 hours ends the oldest secret at once.`;
  static override examples = ['<%= config.bin %> keys rotate laptop > key.txt'];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'key: id, prefix or name' }),
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
      `Key ${key.id} (${key.name}) has a new secret: the line on standard output. The one before works until ${until}.`,
    );
  }
}

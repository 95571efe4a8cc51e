import { Args } from '@oclif/core';
import { changeKeyStatus, findKey } from '../../services/manager/keys.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse keys enable`. */
export default class KeysEnable extends ManagerCommand {
  static override summary = 'enable a key that you disabled';
  static override examples = ['<%= config.bin %> keys enable laptop'];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'id, prefix or name of the key' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(KeysEnable);
    const manager = await this.manager(flags);
    const key = await findKey(manager, args.key);
    await changeKeyStatus(manager, key.id, 'enable');
    this.showDone(flags.json, { id: key.id, status: 'enabled' }, `Key ${key.id} (${key.name}) is enabled`);
  }
}

import { Args } from '@oclif/core';
import { changeKeyStatus, findKey } from '../../services/manager/keys.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse keys disable`. */
export default class KeysDisable extends ManagerCommand {
  static override summary = 'disable one of your keys until you enable it again';
  static override examples = ['<%= config.bin %> keys disable laptop'];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'id, prefix or name of the key' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(KeysDisable);
    const manager = await this.manager(flags);
    const key = await findKey(manager, args.key);
    await changeKeyStatus(manager, key.id, 'disable');
    this.showDone(flags.json, { id: key.id, status: 'disabled' }, `Key ${key.id} (${key.name}) is disabled`);
  }
}

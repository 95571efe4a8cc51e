import { Args } from '@oclif/core';
import { findKey } from '../../services/manager/keys.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse keys get`. */
export default class KeysGet extends ManagerCommand {
  static override hiddenAliases = ['keys:show'];
  static override summary = 'show one of your virtual API keys';
  static override examples = ['<%= config.bin %> keys get laptop'];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'id, prefix or name of the key' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(KeysGet);
    this.showOne(flags.json, await findKey(await this.manager(flags), args.key));
  }
}

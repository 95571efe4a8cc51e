import { Args } from '@oclif/core';
import { changeKeyStatus, findKey } from '../../services/manager/keys.ts';
import { yesFlag } from '../../base/base-command.ts';
import { ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse keys revoke`. */
export default class KeysRevoke extends ManagerCommand {
  static override summary = 'revoke one of your keys permanently';
  static override examples = ['<%= config.bin %> keys revoke laptop'];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'id, prefix or name of the key' }),
  };
  static override flags = {
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.read(KeysRevoke);
    const manager = await this.manager(flags);
    const key = await findKey(manager, args.key);
    await this.confirmUnless(flags.yes, `Revoke key ${key.id} (${key.name}) at ${manager.url} permanently?`);
    await changeKeyStatus(manager, key.id, 'revoke');
    this.showDone(flags.json, { id: key.id, status: 'revoked' }, `Key ${key.id} (${key.name}) is revoked`);
  }
}

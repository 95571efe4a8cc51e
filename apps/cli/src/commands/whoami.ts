import { ManagerCommand } from '../base/manager-command.ts';
import { getProfile } from '../services/manager/profile.ts';

/** `gatehouse whoami`. */
export default class Whoami extends ManagerCommand {
  static override summary = 'show the user that the enterprise manager sees for your session';
  static override examples = ['<%= config.bin %> whoami', '<%= config.bin %> whoami --json'];

  async run(): Promise<void> {
    const { flags } = await this.read(Whoami);
    const manager = await this.manager(flags);
    const profile = await getProfile(manager);
    if (flags.json) this.output.json(profile);
    else {
      const { groups, roles, ...rest } = profile;
      const names = groups.map(({ display_name: name }) => name);
      this.showOne(false, { manager: manager.url, ...rest, roles, groups: names });
    }
  }
}

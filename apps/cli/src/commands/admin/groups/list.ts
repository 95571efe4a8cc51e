import { Flags } from '@oclif/core';
import { GROUP_COLUMNS } from '../../../views/columns.ts';
import { listGroups } from '../../../services/manager/groups.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';

/** `gatehouse admin groups list`. */
export default class AdminGroupsList extends ManagerCommand {
  static override hiddenAliases = ['admin:groups:ls'];
  static override summary = 'list groups';
  static override examples = [
    '<%= config.bin %> admin groups list',
    '<%= config.bin %> admin groups list --search eng --json',
    '<%= config.bin %> admin groups list --source scim --all',
  ];
  static override flags = {
    ...listFlags,
    search: Flags.string({ description: 'part of a name' }),
    name: Flags.string({ description: 'exact name' }),
    'display-name': Flags.string({ description: 'exact display name' }),
    source: Flags.string({ description: 'owner of the groups: local, scim' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminGroupsList);
    const manager = await this.manager(flags);
    const { json, limit, all, search, name, source } = flags;
    const displayName = flags['display-name'];
    const groups = await listGroups(
      manager,
      {
        ...(search !== undefined && { search }),
        ...(name !== undefined && { name }),
        ...(displayName !== undefined && { display_name: displayName }),
        ...(source !== undefined && { source }),
      },
      { limit, all },
    );
    await this.showList(json, groups, GROUP_COLUMNS, 'No groups');
  }
}

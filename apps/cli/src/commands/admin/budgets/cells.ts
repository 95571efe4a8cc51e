import { Flags } from '@oclif/core';
import { cellColumns } from '../../../views/columns.ts';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';
import { parseInstant } from '../../../services/manager/audit.ts';
import { listCells } from '../../../services/manager/budgets.ts';

/** `gatehouse admin budgets cells`. */
export default class AdminBudgetsCells extends ManagerCommand {
  static override summary = 'show the used amounts of budgets';
  static override description = `Groups first. Users with the default budget are listed when they have used a part of it.`;
  static override examples = [
    '<%= config.bin %> admin budgets cells',
    '<%= config.bin %> admin budgets cells --scope user --subject ali',
    '<%= config.bin %> admin budgets cells --at 2026-10-31T00:00:00Z --all --json',
  ];
  static override flags = {
    ...listFlags,
    scope: Flags.option({ description: 'only budgets of users or of groups', options: ['user', 'group'] as const })(),
    subject: Flags.string({ description: 'beginning of the id of the user or group' }),
    at: Flags.string({ description: 'a time in the windows to show, or how long ago (720h); default now' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminBudgetsCells);
    const { scope, subject, at } = flags;
    const filter = {
      ...(scope !== undefined && { scope }),
      ...(subject !== undefined && { subject }),
      ...(at !== undefined && { at: parseInstant('--at', at, new Date()) }),
    };
    const manager = await this.manager(flags);
    const cells = await listCells(manager, filter, flags);
    const getName = await this.fetchNames(flags.json, manager, cells.items);
    await this.showList(flags.json, cells, cellColumns(getName), 'No budgets');
  }
}

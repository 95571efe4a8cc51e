import { Flags } from '@oclif/core';
import { WorkloadCommand } from '../base/workload-command.ts';
import { terminal } from '../config/config.ts';
import { selectStates, STATUSES } from '../services/select-states.ts';
import { list } from '../flags/build-flags.ts';
import { formatAge, toJson } from '../terminal/output.ts';

/** `gatehouse list`. */
export default class List extends WorkloadCommand {
  static override hiddenAliases = ['ls', 'ps'];
  static override summary = 'list workloads';
  static override description = `Shows the workloads that run or should run, and starts a new proxy for a workload without one. Several filters show the workloads that match all of them. A narrow terminal shows fewer columns; --json has all fields.`;
  static override examples = [
    '<%= config.bin %> list',
    '<%= config.bin %> list -a --json',
    '<%= config.bin %> list --group office --label tier=web',
    '<%= config.bin %> list --status stopped --status error',
  ];
  static override flags = {
    all: Flags.boolean({ char: 'a', description: 'also stopped and failed workloads' }),
    group: Flags.string({ description: 'only the workloads of a group' }),
    label: list('only workloads with a label, key=value or key; may be repeated', 'l'),
    status: Flags.option({
      description: 'only workloads with a status; may be repeated',
      options: STATUSES,
      multiple: true,
      multipleNonGreedy: true,
    })(),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(List);
    const workloads = this.workloads();
    const { all, group, label, status } = flags;
    if (group !== undefined) workloads.groups.requirePresent(group);
    const states = await workloads.list();
    const shown = selectStates(states, { all, group, labels: label ?? [], statuses: status ?? [] });
    if (flags.json) this.output.json(shown.map(toJson));
    else if (shown.length === 0) this.output.say(describeNone(flags));
    else {
      const { formatTable } = await import('../terminal/table.ts');
      const now = new Date();
      const rows = shown.map((one) => [
        one.name,
        one.status,
        one.url,
        one.transport_type,
        one.group,
        one.package,
        formatAge(one.created_at, now),
      ]);
      this.output.line(
        formatTable(
          ['NAME', 'STATUS', 'URL', 'TRANSPORT', 'GROUP', 'IMAGE', 'CREATED'],
          rows,
          process.stdout.isTTY && terminal().colours,
          { spare: ['TRANSPORT', 'CREATED', 'GROUP', 'IMAGE'] },
        ),
      );
      for (const { name, status_context: context } of shown)
        if (context !== undefined) this.output.say(`${name}: ${context}`);
    }
    for (const name of await workloads.recover(states)) this.output.say(`${name}: a new proxy is starting`);
    await this.updateClients(workloads, undefined, states);
  }
}

/** The sentence for an empty list. */
function describeNone({ all, group, label, status }: Record<'all' | 'group' | 'label' | 'status', unknown>): string {
  if (group !== undefined || label !== undefined || status !== undefined) return 'No workload matches the filters';
  return all === true ? 'No workloads' : 'No workloads run';
}

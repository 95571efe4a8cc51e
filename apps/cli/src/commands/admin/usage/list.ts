import { Flags } from '@oclif/core';
import { listFlags, ManagerCommand } from '../../../base/manager-command.ts';
import { eventColumns } from '../../../views/spend-columns.ts';
import { definedOnly, PERSON, streamFlags, timeFlags, parseTimeRange } from '../../../flags/spend-flags.ts';
import { writeStreamedResponse } from '../../../services/manager/streamed-responses.ts';
import { allEvents, listEvents } from '../../../services/manager/spend.ts';
import { findSubjectId } from '../../../services/manager/subjects.ts';

const OUTCOMES = ['delivered', 'blocked_downstream', 'client_disconnect', 'upstream_error'] as const;

/** `gatehouse admin usage list`. */
export default class AdminUsageList extends ManagerCommand {
  static override hiddenAliases = ['admin:usage:ls'];
  static override summary = 'list requests to models, newest first';
  static override examples = [
    '<%= config.bin %> admin usage list',
    '<%= config.bin %> admin usage list --user alice --outcome upstream_error --from 24h',
    '<%= config.bin %> admin usage list --ndjson | jq .raw_usage',
  ];
  static override flags = {
    ...listFlags,
    ...streamFlags,
    ...timeFlags,
    user: Flags.string({ description: `requests made by this user: ${PERSON}` }),
    model: Flags.string({ description: 'exact name of the serving model' }),
    outcome: Flags.option({ description: 'outcome of the request', options: OUTCOMES })(),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminUsageList);
    const manager = await this.manager(flags);
    const { user, model, outcome } = flags;
    const subject = user === undefined ? undefined : await findSubjectId(manager, 'user', user);
    const filter = { ...parseTimeRange(flags), ...definedOnly({ auth_subject: subject, model, outcome }) };
    if (flags.ndjson || flags.output !== undefined)
      await writeStreamedResponse(manager, allEvents(filter), flags.output, this.interruption());
    else {
      const events = await listEvents(manager, filter, flags);
      const subjects = events.items.map(({ auth_subject: id }) => ({ scope: 'user' as const, subject_id: id }));
      const getName = await this.fetchNames(flags.json, manager, subjects);
      await this.showList(flags.json, events, eventColumns(getName), 'No requests');
    }
  }
}

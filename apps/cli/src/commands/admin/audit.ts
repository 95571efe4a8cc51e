import { Flags } from '@oclif/core';
import { auditColumns, listSubjects } from '../../views/columns.ts';
import {
  type AuditFilter,
  parseInstant,
  listAuditEvents,
  listAuditEventsOfUser,
} from '../../services/manager/audit.ts';
import { listFlags, ManagerCommand } from '../../base/manager-command.ts';

/** `gatehouse admin audit`. */
export default class AdminAudit extends ManagerCommand {
  static override summary = 'list audit events, newest first';
  static override examples = [
    '<%= config.bin %> admin audit',
    '<%= config.bin %> admin audit --outcome forbidden --from 24h',
    '<%= config.bin %> admin audit --user alice --from 168h',
    '<%= config.bin %> admin audit --operation "Delete group" --all --json',
  ];
  static override flags = {
    ...listFlags,
    user: Flags.string({
      description: 'user that caused the event or that the event is about: id, user name or e-mail',
      exclusive: ['issuer', 'subject', 'object-kind', 'object-id'],
    }),
    operation: Flags.string({ description: 'name of the operation, as in the reference of the API' }),
    issuer: Flags.string({ description: 'issuer of the caller' }),
    subject: Flags.string({ description: 'subject of the caller' }),
    'object-kind': Flags.string({ description: 'kind of the changed object' }),
    'object-id': Flags.string({ description: 'id of the changed object' }),
    outcome: Flags.option({ description: 'result of the operation', options: ['succeeded', 'forbidden'] as const })(),
    'request-id': Flags.string({ description: 'id of the request' }),
    from: Flags.string({ description: 'earliest time, or how long ago (24h)' }),
    to: Flags.string({ description: 'latest time, or how long ago' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.read(AdminAudit);
    const { json, from, to } = flags;
    const now = new Date();
    const filter: AuditFilter = {
      ...(flags.operation !== undefined && { operation: flags.operation }),
      ...(flags.issuer !== undefined && { issuer: flags.issuer }),
      ...(flags.subject !== undefined && { subject: flags.subject }),
      ...(flags['object-kind'] !== undefined && { object_kind: flags['object-kind'] }),
      ...(flags['object-id'] !== undefined && { object_id: flags['object-id'] }),
      ...(flags.outcome !== undefined && { outcome: flags.outcome }),
      ...(flags['request-id'] !== undefined && { request_id: flags['request-id'] }),
      ...(from !== undefined && { from: parseInstant('--from', from, now) }),
      ...(to !== undefined && { to: parseInstant('--to', to, now) }),
    };
    const manager = await this.manager(flags);
    const events = await (flags.user === undefined
      ? listAuditEvents(manager, filter, flags)
      : listAuditEventsOfUser(manager, flags.user, filter, flags));
    const named = events.items.flatMap((event) => [
      { scope: 'user' as const, subject_id: event.subject_id },
      ...listSubjects(event),
    ]);
    await this.showList(json, events, auditColumns(await this.fetchNames(json, manager, named)), 'No events');
  }
}

import { AuditEventRow } from '../audit/audit-event.entity.ts';
import { GroupRow } from '../groups/group.entity.ts';
import { GroupSubgroupRow, GroupUserRow } from '../groups/membership.entity.ts';
import { UserRow } from '../users/user.entity.ts';

/** Every table of this service, for the data source and for the comparison with what the migrations make. */
export const entities = [UserRow, GroupRow, GroupUserRow, GroupSubgroupRow, AuditEventRow];

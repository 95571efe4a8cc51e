import { PeopleOfTheDirectory1763683200000 } from './migrations/1763683200000-people-of-the-directory.ts';
import { GroupsOfTheDirectory1763683201000 } from './migrations/1763683201000-groups-of-the-directory.ts';
import { MembersOfGroups1763683202000 } from './migrations/1763683202000-members-of-groups.ts';
import { AuditTrailThatOnlyGrows1763683203000 } from './migrations/1763683203000-audit-trail-that-only-grows.ts';
import { ConnectorsOfGateways1763683210000 } from './migrations/1763683210000-connectors-of-gateways.ts';
import { PoliciesOfConnectors1763683211000 } from './migrations/1763683211000-policies-of-connectors.ts';
import { ConnectionsOfPeople1763683212000 } from './migrations/1763683212000-connections-of-people.ts';
import { RevisionsOfGateways1763683213000 } from './migrations/1763683213000-revisions-of-gateways.ts';
import { ToolCallsByMonth1763683214000 } from './migrations/1763683214000-tool-calls-by-month.ts';

/** Every migration of this service. A released one is never edited; a new one goes to the end. */
export const migrations = [
  PeopleOfTheDirectory1763683200000,
  GroupsOfTheDirectory1763683201000,
  MembersOfGroups1763683202000,
  AuditTrailThatOnlyGrows1763683203000,
  ConnectorsOfGateways1763683210000,
  PoliciesOfConnectors1763683211000,
  ConnectionsOfPeople1763683212000,
  RevisionsOfGateways1763683213000,
  ToolCallsByMonth1763683214000,
];

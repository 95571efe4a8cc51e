import { PeopleOfTheDirectory1763683200000 } from './migrations/1763683200000-people-of-the-directory.ts';
import { GroupsOfTheDirectory1763683201000 } from './migrations/1763683201000-groups-of-the-directory.ts';
import { MembersOfGroups1763683202000 } from './migrations/1763683202000-members-of-groups.ts';
import { AuditTrailThatOnlyGrows1763683203000 } from './migrations/1763683203000-audit-trail-that-only-grows.ts';

/** Every migration of this service. A released one is never edited; a new one goes to the end. */
export const migrations = [
  PeopleOfTheDirectory1763683200000,
  GroupsOfTheDirectory1763683201000,
  MembersOfGroups1763683202000,
  AuditTrailThatOnlyGrows1763683203000,
];

import { CreateTasks1763683310000 } from './migrations/1763683310000-create-tasks.ts';
import { CreateConnectionStates1763683315000 } from './migrations/1763683315000-create-connection-states.ts';
import { IndexKeptRecords1763683315001 } from './migrations/1763683315001-index-kept-records.ts';
import { CreateCallRates1763683307000 } from './migrations/1763683307000-create-call-rates.ts';
import { AdministerSessions1763683312000 } from './migrations/1763683312000-administer-sessions.ts';
import { CreateAuditTrail1763683312001 } from './migrations/1763683312001-create-audit-trail.ts';
import { KeepModesOfSessions1763683317000 } from './migrations/1763683317000-keep-modes-of-sessions.ts';
import { CopiesOfTheDirectory1763683300000 } from './migrations/1763683300000-copies-of-the-directory.ts';
import { SessionsForEveryReplica1763683301000 } from './migrations/1763683301000-sessions-for-every-replica.ts';
import { CreateStreamsOfReplicas1763683316000 } from './migrations/1763683316000-create-streams-of-replicas.ts';
import { NotifyChangesOfSessions1763683311000 } from './migrations/1763683311000-notify-changes-of-sessions.ts';
import { OutboxOfToolCalls1763683302000 } from './migrations/1763683302000-outbox-of-tool-calls.ts';
import { IndexSessionsByPerson1763683304000 } from './migrations/1763683304000-index-sessions-by-person.ts';
import { RecordCallsWithoutArguments1763683304001 } from './migrations/1763683304001-record-calls-without-arguments.ts';
import { RemoveDirectoryCopies1763683305000 } from './migrations/1763683305000-remove-directory-copies.ts';
import { KeepLogLevelsOfSessions1763683306001 } from './migrations/1763683306001-keep-log-levels-of-sessions.ts';
import { KeepSubscriptionsOfSessions1763683306002 } from './migrations/1763683306002-keep-subscriptions-of-sessions.ts';
import { CreateClientRegistrations1763683320000 } from './migrations/1763683320000-create-client-registrations.ts';
import { CreateConnectFlows1763683320002 } from './migrations/1763683320002-create-connect-flows.ts';
import { CreateBrowserSessions1763683320001 } from './migrations/1763683320001-create-browser-sessions.ts';
import { CreateKeyEncryptionKeys1763683321000 } from './migrations/1763683321000-create-key-encryption-keys.ts';
import { CreateUpstreamTokens1763683321001 } from './migrations/1763683321001-create-upstream-tokens.ts';
import { CreateExchangeRefusals1763683322000 } from './migrations/1763683322000-create-exchange-refusals.ts';
import { CreateAuthorizationServer1763683323000 } from './migrations/1763683323000-create-authorization-server.ts';
import { CreateToolPins1763683324001 } from './migrations/1763683324001-create-tool-pins.ts';
import { SessionsOfAnyClientName1763683303000 } from './migrations/1763683303000-sessions-of-any-client-name.ts';
import { ResumeCallsAtUpstreams1763683325000 } from './migrations/1763683325000-resume-calls-at-upstreams.ts';
import { CountChangesOfCorporateGrants1763683340000 } from './migrations/1763683340000-count-changes-of-corporate-grants.ts';
import { EndCorporateGrants1763683340001 } from './migrations/1763683340001-end-corporate-grants.ts';
import { CountRegistrationsOfClients1763683342000 } from './migrations/1763683342000-count-registrations-of-clients.ts';
import { AddRetentionOfAuditEvents1763683330000 } from './migrations/1763683330000-add-retention-of-audit-events.ts';
import { CountMessagesOfUsers1763683331000 } from './migrations/1763683331000-count-messages-of-users.ts';
import { KeepChallengedScopes1763683341020 } from './migrations/1763683341020-keep-challenged-scopes.ts';

/** Every migration of this service. A released one is never edited; a new one goes to the end. */
export const migrations = [
  CopiesOfTheDirectory1763683300000,
  SessionsForEveryReplica1763683301000,
  OutboxOfToolCalls1763683302000,
  SessionsOfAnyClientName1763683303000,
  IndexSessionsByPerson1763683304000,
  RecordCallsWithoutArguments1763683304001,
  RemoveDirectoryCopies1763683305000,
  KeepLogLevelsOfSessions1763683306001,
  KeepSubscriptionsOfSessions1763683306002,
  CreateCallRates1763683307000,
  CreateTasks1763683310000,
  NotifyChangesOfSessions1763683311000,
  AdministerSessions1763683312000,
  CreateAuditTrail1763683312001,
  CreateConnectionStates1763683315000,
  IndexKeptRecords1763683315001,
  CreateStreamsOfReplicas1763683316000,
  KeepModesOfSessions1763683317000,
  CreateBrowserSessions1763683320001,
  CreateClientRegistrations1763683320000,
  CreateConnectFlows1763683320002,
  CreateKeyEncryptionKeys1763683321000,
  CreateUpstreamTokens1763683321001,
  CreateAuthorizationServer1763683323000,
  ResumeCallsAtUpstreams1763683325000,
  AddRetentionOfAuditEvents1763683330000,
  CreateExchangeRefusals1763683322000,
  CountMessagesOfUsers1763683331000,
  CreateToolPins1763683324001,
  CountChangesOfCorporateGrants1763683340000,
  EndCorporateGrants1763683340001,
  KeepChallengedScopes1763683341020,
  CountRegistrationsOfClients1763683342000,
];

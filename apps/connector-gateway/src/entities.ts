import { AuditEventRow } from '@gatehouse/audit/audit-event.entity';
import { BrowserSessionRow } from './browser/browser-session.entity.ts';
import { KeyFingerprintRow } from '@gatehouse/key-encryption/key-fingerprint.entity';
import { CorporateGrantRow } from './authorization-server/grants/corporate-grant.entity.ts';
import { RegistrationCountRow } from './authorization-server/clients/registration-count.entity.ts';
import { SigningKeyRow } from './authorization-server/keys/signing-key.entity.ts';
import { OidcPayloadRow } from './authorization-server/storage/oidc-payload.entity.ts';
import { CallRateRow } from './call-rates/call-rate.entity.ts';
import { ConnectFlowRow } from './connect/connect-flow.entity.ts';
import { ClientRegistrationRow } from './providers/client-registration.entity.ts';
import { ConnectionStateRow } from './connection-states/connection-state.entity.ts';
import { ExchangeRefusalRow } from './credentials/exchange-refusal.entity.ts';
import { ToolCallRow } from './metering/tool-call.entity.ts';
import { ReplicaRow } from './replicas/replica.entity.ts';
import { SessionMessageRow } from './replicas/session-message.entity.ts';
import { StreamEventRow } from './replicas/stream-event.entity.ts';
import { StreamRow } from './replicas/stream.entity.ts';
import { SessionRow } from './sessions/session.entity.ts';
import { TaskRow } from './tasks/task.entity.ts';
import { ToolBaselineRow } from './tool-pins/tool-baseline.entity.ts';
import { ToolDefinitionRow } from './tool-pins/tool-definition.entity.ts';
import { UpstreamTokenRow } from './vault/upstream-token.entity.ts';

/** All tables of this service, for the data source and for the comparison with the migrations. */
export const entities = [
  AuditEventRow,
  BrowserSessionRow,
  CallRateRow,
  ClientRegistrationRow,
  ConnectFlowRow,
  ConnectionStateRow,
  ExchangeRefusalRow,
  KeyFingerprintRow,
  CorporateGrantRow,
  RegistrationCountRow,
  OidcPayloadRow,
  ReplicaRow,
  SessionMessageRow,
  SessionRow,
  SigningKeyRow,
  StreamEventRow,
  StreamRow,
  TaskRow,
  ToolBaselineRow,
  ToolCallRow,
  ToolDefinitionRow,
  UpstreamTokenRow,
];

import { dollars } from '../terminal/amounts.ts';
import type { Column } from '../base/manager-command.ts';
import type { Schemas } from '../services/manager/manager.ts';
import type { NameResolver, Subject } from '../services/manager/names.ts';
import type { KeyWithUserName } from '../services/manager/user-keys.ts';
import type { McpSession } from '../services/manager/gateway-sessions.ts';
import type { NamedConnection } from '../services/manager/connections.ts';
import type { OwnConnector } from '../services/manager/own-connectors.ts';

/** The columns of users. */
export const USER_COLUMNS: readonly Column<Schemas['User']>[] = [
  ['USER NAME', (user) => user.user_name],
  ['DISPLAY NAME', (user) => user.display_name],
  ['E-MAIL', (user) => user.email],
  ['SOURCE', (user) => user.source],
  ['ACTIVE', (user) => (user.active ? 'yes' : 'no')],
  ['ID', (user) => user.id],
];

/** The columns of groups. */
export const GROUP_COLUMNS: readonly Column<Schemas['Group']>[] = [
  ['NAME', (group) => group.name],
  ['DISPLAY NAME', (group) => group.display_name],
  ['SOURCE', (group) => group.source],
  ['USERS', (group) => group.transitive_member_count],
  ['ID', (group) => group.id],
];

/** The columns of virtual API keys. */
export const KEY_COLUMNS: readonly Column<Schemas['VirtualKey']>[] = [
  ['ID', (key) => key.id],
  ['NAME', (key) => key.name],
  ['STATUS', (key) => key.status],
  ['EXPIRES', (key) => key.expires_at ?? 'never'],
  ['LAST USED', (key) => key.last_used_at ?? 'never'],
  ['CREATED', (key) => key.created_at],
];

/** The columns of virtual API keys with their owners. */
export const USER_KEY_COLUMNS: readonly Column<KeyWithUserName>[] = [['USER', (key) => key.user_name], ...KEY_COLUMNS];

/** The columns of sessions of MCP clients. */
export const SESSION_COLUMNS: readonly Column<McpSession>[] = [
  ['ID', (session) => session.id],
  ['SUBJECT', (session) => session.subject],
  ['CLIENT', (session) => [session.client_name, session.client_version].filter(Boolean).join(' ') || undefined],
  ['MCP', (session) => session.protocol_version],
  ['CONNECTOR', (session) => session.connector ?? 'all'],
  ['MODE', (session) => session.mode],
  ['CREATED', (session) => session.created_at],
  ['LAST USED', (session) => session.last_used_at],
];

/** The directory entry or group of an audit event; undefined for other objects. */
export function listSubjects({ object_kind: kind, object_id: id }: Schemas['AuditEvent']): Subject[] {
  if (id === undefined || (kind !== 'user' && kind !== 'group')) return [];
  return [{ scope: kind === 'user' ? 'entry' : 'group', subject_id: id }];
}

/** The columns of the audit trail. */
export const auditColumns = (getName: NameResolver): readonly Column<Schemas['AuditEvent']>[] => [
  ['TIME', (event) => event.occurred_at],
  ['OUTCOME', (event) => event.outcome],
  ['OPERATION', (event) => event.operation],
  ['BY', (event) => getName('user', event.subject_id)],
  [
    'OBJECT',
    (event) => {
      const [known] = listSubjects(event);
      const object = known ? getName(known.scope, known.subject_id) : event.object_id;
      return [event.object_kind, object].filter(Boolean).join(' ') || undefined;
    },
  ],
  ['CHANGED', (event) => event.changed_fields.join(', ') || undefined],
];

/** The columns of managed secrets. */
export const SECRET_COLUMNS: readonly Column<Schemas['ManagedSecret']>[] = [
  ['NAME', (secret) => secret.name],
  ['VERSION', (secret) => secret.version],
  ['WRITTEN', (secret) => secret.updated_at],
  ['CREATED', (secret) => secret.created_at],
  ['ID', (secret) => secret.id],
];

/** The columns of the key-encryption key's versions. */
export const KEY_ENCRYPTION_COLUMNS: readonly Column<Schemas['KeyEncryptionVersion']>[] = [
  ['VERSION', (key) => key.version],
  ['STATE', (key) => key.state],
  ['VALUES', (key) => key.values],
];

/** The columns of SCIM tokens. */
export const SCIM_TOKEN_COLUMNS: readonly Column<Schemas['ScimToken']>[] = [
  ['NAME', (token) => token.name],
  ['ISSUER', (token) => token.issuer_id],
  ['STATE', (token) => token.state],
  ['EXPIRES', (token) => token.expires_at ?? 'never'],
  ['LAST USED', (token) => token.last_used_at ?? 'never'],
  ['ID', (token) => token.id],
];

/** The columns of signing keys. */
export const SIGNING_KEY_COLUMNS: readonly Column<Schemas['SigningKey']>[] = [
  ['KEY', (key) => key.kid],
  ['STATE', (key) => key.state],
  ['CREATED', (key) => key.created_at],
  ['SIGNS SINCE', (key) => key.activated_at],
  ['SHOWN UNTIL', (key) => key.shown_until],
];

/** The columns of budgets. */
export const budgetColumns = (getName: NameResolver): readonly Column<Schemas['BudgetSpec']>[] => [
  ['SCOPE', (budget) => budget.scope],
  ['SUBJECT', (budget) => getName(budget.scope, budget.subject_id)],
  ['PERIOD', (budget) => budget.period],
  ['LIMIT USD', (budget) => dollars(budget.limit_usd)],
  ['PRECEDENCE', (budget) => budget.precedence],
];

/** The columns of budget cells. */
export const cellColumns = (getName: NameResolver): readonly Column<Schemas['BudgetCell']>[] => [
  ['SCOPE', (cell) => cell.scope],
  ['SUBJECT', (cell) => getName(cell.scope, cell.subject_id)],
  ['PERIOD', (cell) => cell.period],
  ['FROM', (cell) => cell.period_start.slice(0, 10)],
  ['USED USD', (cell) => dollars(cell.used_usd)],
  ['RESERVED USD', (cell) => dollars(cell.reserved_usd)],
  ['LIMIT USD', (cell) => `${dollars(cell.limit_usd)}${cell.on_default ? ' (default)' : ''}`],
  ['REMAINING USD', (cell) => dollars(cell.remaining_usd)],
];

/** The columns of MCP servers in the cluster. */
export const DISCOVERED_COLUMNS: readonly Column<Schemas['DiscoveredServer']>[] = [
  ['NAMESPACE', (server) => server.namespace],
  ['NAME', (server) => server.name],
  ['KIND', (server) => server.kind],
  ['HEALTH', (server) => server.health],
  ['ENDPOINT', (server) => server.endpoint],
  ['CONNECTORS', (server) => server.existing_connectors.map(({ name }) => name).join(', ') || undefined],
  ['ID', (server) => server.id],
];

/** The columns of connections. */
export const connectionColumns = (getName: NameResolver): readonly Column<NamedConnection>[] => [
  ['CONNECTOR', (connection) => connection.connector],
  ['USER', (connection) => getName('entry', connection.user_id)],
  ['ENABLED', (connection) => (connection.enabled ? 'yes' : 'no')],
  ['TOOLS', (connection) => (connection.tools_enabled_by_default ? 'all' : 'none')],
  ['EXCEPT', (connection) => connection.tools_exception_list.join(', ') || undefined],
  ['UPSTREAM', (connection) => connection.connection_status],
  ['CHANGED', (connection) => connection.updated_at],
  ['ID', (connection) => connection.id],
];

/** The columns of connectors. */
export const CONNECTOR_COLUMNS: readonly Column<Schemas['Connector']>[] = [
  ['SLUG', (connector) => connector.slug],
  ['NAME', (connector) => connector.name],
  ['STATUS', (connector) => connector.status],
  ['AUTH', (connector) => connector.auth.type],
  ['ENDPOINT', (connector) => connector.endpoint],
  ['ID', (connector) => connector.id],
];

/** The columns of the connectors of a user. */
export const OWN_CONNECTOR_COLUMNS: readonly Column<OwnConnector>[] = [
  ['SLUG', ({ connector }) => connector.slug],
  ['NAME', ({ connector }) => connector.name],
  ['ENABLED', ({ connection }) => (connection?.enabled ? 'yes' : 'no')],
  ['TOOLS', ({ connection }) => (connection?.tools_enabled_by_default === false ? 'none' : 'all')],
  ['EXCEPT', ({ connection }) => connection?.tools_exception_list.join(', ') || undefined],
  ['UPSTREAM', ({ connection }) => connection?.connection_status],
  ['HEALTH', ({ health }) => health && `${health.status} since ${health.since}`],
  ['FOR', ({ connector }) => connector.description],
];

/** The columns of identity providers. */
export const PROVIDER_COLUMNS: readonly Column<Schemas['ConnectorIdentityProvider']>[] = [
  ['NAME', (provider) => provider.name],
  ['TYPE', (provider) => provider.provider_type],
  ['REGISTRATION', (provider) => provider.registration_mode],
  ['SIGN-IN', ({ oidc_config: oidc, oauth2_config: oauth2 }) => oidc?.issuer_url ?? oauth2?.authorization_endpoint],
  ['DISCOVERY', ({ discovery }) => discovery.status],
  ['SOURCE', (provider) => provider.source],
  ['ID', (provider) => provider.id],
];

import type { ClaimMapping } from '@gatehouse/policy/claims';
import type { Connector, Snapshot } from '../../mcp/ports/snapshot.ts';
import type { Backend, Backends } from './backends-schema.ts';
import { findSecretSource, getSecretId } from './backend-secrets.ts';

/** The policy of a backend without one: every verified user may use it. */
const OPEN_POLICY = 'permit(principal, action, resource);';

/** The rules of a gateway, from a backends file. */
export type LocalSnapshot = Pick<Snapshot, 'connectors' | 'policies' | 'claim_mapping' | 'settings'>;

/** Creates the connectors, policies and settings that a backends file describes. */
export function createSnapshot({ backends, limits, ...controls }: Backends, claims: ClaimMapping): LocalSnapshot {
  return {
    connectors: backends.map(createConnector),
    policies: backends.map(({ name, policy = OPEN_POLICY }) => ({ connector_id: name, version: 1, document: policy })),
    claim_mapping: { ...claims },
    settings: {
      limits: { ...UNLIMITED, ...removeAbsent(limits) },
      content: { redaction_patterns: [], tool_pinning: 'off', elicitation_hosts: [], ...selectControls(controls) },
      connectors: Object.fromEntries(backends.map((backend) => [backend.name, createSettings(backend)])),
    },
  };
}

/** The settings of a backend that replace those of the gateway. */
const createSettings = (backend: Backend): Snapshot['settings']['connectors'][string] => ({
  ...(backend.limits && { limits: removeAbsent(backend.limits) }),
  content: selectControls(backend),
});

type ContentControlFields = Pick<Backend, 'redaction_patterns' | 'tool_pinning' | 'elicitation_hosts'>;

const selectControls = ({ redaction_patterns, tool_pinning, elicitation_hosts }: ContentControlFields) => ({
  ...(redaction_patterns && { redaction_patterns }),
  ...(tool_pinning && { tool_pinning }),
  ...(elicitation_hosts && { elicitation_hosts }),
});

const UNLIMITED: Snapshot['settings']['limits'] = {
  calls_per_minute_per_person: null,
  calls_per_minute_per_tool: null,
  concurrent_calls_per_connector: null,
  sessions_per_person: null,
  max_argument_bytes: null,
  max_result_bytes: null,
};

type LimitValues = Partial<Snapshot['settings']['limits']>;

const removeAbsent = (limits: Backends['limits']): LimitValues =>
  Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined));

function createConnector(backend: Backend): Connector {
  const { name, description, url, transport, allow_private_ips } = backend;
  return {
    id: name,
    slug: name,
    name,
    ...(description !== undefined && { description }),
    endpoint: url,
    transport,
    auth: createAuth(backend),
    allow_private_ips,
    ...(backend.auth.type === 'sign_in' && { identity_provider: createProvider(backend, backend.auth) }),
  };
}

type SignIn = Extract<Backend['auth'], { type: 'sign_in' }>;

/** The provider of a backend at which users sign in. Its id is the name of the backend. */
function createProvider(
  backend: Backend,
  { issuer, client_id, scopes, allow_private_ips }: SignIn,
): NonNullable<Connector['identity_provider']> {
  const source = findSecretSource(backend);
  return {
    id: backend.name,
    name: new URL(issuer).host,
    provider_type: 'oidc',
    registration_mode: client_id === undefined ? 'dcr' : 'static',
    oidc_config: {
      issuer_url: issuer,
      allow_private_ips,
      ...(client_id === undefined ? { dcr: {} } : { client_id }),
      ...(scopes !== undefined && { scopes }),
    },
    secrets: source === undefined ? {} : { 'oidc_config.client_secret': { id: getSecretId(source), version: 1 } },
  };
}

function createAuth(backend: Backend): Connector['auth'] {
  const source = findSecretSource(backend);
  const { auth } = backend;
  if (auth.type === 'sign_in') return { type: 'upstreamInject' };
  if (source === undefined || auth.type === 'none') return { type: 'none' };
  const secret = { id: getSecretId(source), version: 1 };
  return auth.type === 'bearer'
    ? { type: 'bearerToken', secrets: { 'bearer_token.token': secret } }
    : {
        type: 'headerInjection',
        header_injection: { header_name: auth.header },
        secrets: { 'header_injection.value': secret },
      };
}

import { getAuthority, type Permission } from '@gatehouse/egress/target';
import { fieldError } from '@gatehouse/service-kit/http-error';
import type { HeaderUse } from '../../secrets/managed-secrets/managed-secret.ts';
import { readReference, type SecretRef } from '../../secrets/references/secret-ref.dto.ts';
import type { NeededSecret, UsedSecret } from '../../secrets/references/used-secrets.ts';
import { ACCOUNT_ROLE, REGION, SUBJECT_TOKEN_TYPES } from './auth-forms.ts';
import type { ConnectorAuthWrite } from './connector-auth.dto.ts';
import { parseUrlUnderPermission } from '../../validation/allowed-url.ts';
import { findHeaderNameProblem } from '@gatehouse/egress/credential-header';
import type { StoredAuth, SecretField } from './stored-auth.ts';

/** A valid authentication with its references to secrets and to an identity provider. */
export interface AcceptedAuth {
  auth: StoredAuth;
  secrets: NeededSecret<SecretField>[];
  provider: NeededProvider | undefined;
}

/** An identity provider that an authentication refers to. */
export interface NeededProvider {
  /** The field of the reference in the request body. */
  path: string;
  id: string;
  /**
   * Whether it must issue ID tokens, as AWS (AssumeRoleWithWebIdentity), on-behalf-of and identity
   * assertions (ID-JAG) require.
   */
  oidc: boolean;
}

type Blocks = Omit<ConnectorAuthWrite, 'type'>;

/**
 * Validates an authentication. Returns the form to store.
 *
 * @param permission the rules for the endpoint, which hold for the other addresses too
 * @throws HttpError invalid for a block of another type or with missing fields; unprocessable for
 * an address, a header or a reference that this deployment does not support
 */
export function validateAuth(write: ConnectorAuthWrite | undefined, permission: Permission): AcceptedAuth {
  const { type, ...blocks } = write ?? { type: 'none' as const };
  const own = type.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const other = Object.keys(blocks).find((block) => block !== own);
  if (other !== undefined) throw fieldError('invalid', `auth.${other}`, `does not belong to the type ${type}`);
  switch (type) {
    case 'none':
      return { auth: { type }, secrets: [], provider: undefined };
    case 'bearerToken':
      return {
        auth: { type },
        secrets: [createNeededSecret('bearer_token.token', blocks.bearer_token?.token)],
        provider: undefined,
      };
    case 'headerInjection':
      return validateHeaderInjection(requireBlock(blocks.header_injection, own));
    case 'upstreamInject': {
      const upstream_inject = requireBlock(blocks.upstream_inject, own);
      return {
        auth: { type, upstream_inject },
        secrets: [],
        provider: createNeededProvider(own, upstream_inject.provider_id, false),
      };
    }
    case 'tokenExchange':
      return validateTokenExchange(requireBlock(blocks.token_exchange, own), permission);
    case 'awsSts':
      return validateAwsSts(requireBlock(blocks.aws_sts, own));
    case 'obo':
      return validateObo(requireBlock(blocks.obo, own), permission);
    case 'xaa':
      return validateXaa(requireBlock(blocks.xaa, own), permission);
  }
}

/** Adds the flags that show which optional secrets are configured. */
export function addConfiguredFlags(auth: StoredAuth, used: readonly UsedSecret[]): StoredAuth {
  if (auth.type !== 'tokenExchange') return auth;
  const client_secret_configured = used.some(({ field }) => field === 'token_exchange.client_secret');
  return { ...auth, token_exchange: { ...auth.token_exchange, client_secret_configured } };
}

/** The header with the secret of the connector; undefined if it sends credentials of users. */
export function findCredential(
  auth: StoredAuth,
  secret: string,
): { name: string; value: string; use: HeaderUse } | undefined {
  if (auth.type === 'headerInjection') return { name: auth.header_injection.header_name, value: secret, use: 'header' };
  return auth.type === 'bearerToken' ? { name: 'authorization', value: `Bearer ${secret}`, use: 'bearer' } : undefined;
}

function validateHeaderInjection({ header_name, value }: NonNullable<Blocks['header_injection']>): AcceptedAuth {
  requireHeader('header_injection.header_name', header_name);
  return {
    auth: { type: 'headerInjection', header_injection: { header_name } },
    secrets: [createNeededSecret('header_injection.value', value)],
    provider: undefined,
  };
}

/** OAuth 2 token exchange (RFC 8693): the token of the user for a token of the upstream. */
function validateTokenExchange(
  { client_secret, ...block }: NonNullable<Blocks['token_exchange']>,
  permission: Permission,
): AcceptedAuth {
  const { token_url, provider_id, client_id, subject_token_type, external_token_header_name } = block;
  if (token_url === undefined && provider_id === undefined)
    throw fieldError('invalid', 'auth.token_exchange.token_url', 'token_url or provider_id is required');
  if (client_secret !== undefined && client_id === undefined)
    throw fieldError('invalid', 'auth.token_exchange.client_id', 'is required with client_secret');
  if (token_url !== undefined) parseUrlUnderPermission(permission, token_url, 'auth.token_exchange.token_url');
  if (external_token_header_name !== undefined)
    requireHeader('token_exchange.external_token_header_name', external_token_header_name);
  requireSubjectTokenType('token_exchange', subject_token_type);
  return {
    auth: { type: 'tokenExchange', token_exchange: block },
    secrets: client_id === undefined ? [] : [createNeededSecret('token_exchange.client_secret', client_secret, true)],
    provider: provider_id === undefined ? undefined : createNeededProvider('token_exchange', provider_id, false),
  };
}

/** An AWS role for the user (AssumeRoleWithWebIdentity); its keys sign the requests. */
function validateAwsSts(block: NonNullable<Blocks['aws_sts']>): AcceptedAuth {
  const { region, role_mappings = [], fallback_role_arn, provider_id } = block;
  if (!REGION.test(region))
    throw fieldError('invalid', 'auth.aws_sts.region', 'must be a region of AWS, such as eu-central-1');
  if (role_mappings.length === 0 && fallback_role_arn === undefined)
    throw fieldError('invalid', 'auth.aws_sts.fallback_role_arn', 'role_mappings or fallback_role_arn is required');
  for (const [index, { claim, matcher, role_arn }] of role_mappings.entries()) {
    const path = `auth.aws_sts.role_mappings.${index}`;
    if ((claim === undefined) === (matcher === undefined))
      throw fieldError('invalid', path, 'must have exactly one of claim and matcher');
    requireRole(`${path}.role_arn`, role_arn);
  }
  if (fallback_role_arn !== undefined) requireRole('auth.aws_sts.fallback_role_arn', fallback_role_arn);
  return {
    auth: { type: 'awsSts', aws_sts: block },
    secrets: [],
    provider: createNeededProvider('aws_sts', provider_id, true),
  };
}

/** The on-behalf-of flow of Microsoft Entra ID. */
function validateObo({ client_secret, ...block }: NonNullable<Blocks['obo']>, permission: Permission): AcceptedAuth {
  if (block.audience === undefined && block.scopes === undefined)
    throw fieldError('invalid', 'auth.obo.scopes', 'scopes or audience is required');
  if (block.authority !== undefined) parseUrlUnderPermission(permission, block.authority, 'auth.obo.authority');
  return {
    auth: { type: 'obo', obo: block },
    secrets: [createNeededSecret('obo.client_secret', client_secret)],
    provider: createNeededProvider('obo', block.provider_id, true),
  };
}

/**
 * Cross-application access: exchanges an assertion of the identity provider about the user (ID-JAG)
 * for a token of the authorization server of the upstream.
 */
function validateXaa(
  { idp_client_secret, target_client_secret, ...block }: NonNullable<Blocks['xaa']>,
  permission: Permission,
): AcceptedAuth {
  const { idp_client_id, idp_token_url, target_client_id, target_resource, target_token_url, target_audience } = block;
  if (target_token_url === undefined) throw fieldError('invalid', 'auth.xaa.target_token_url', 'is required');
  if (target_audience === undefined) throw fieldError('invalid', 'auth.xaa.target_audience', 'is required');
  if (idp_token_url !== undefined) parseUrlUnderPermission(permission, idp_token_url, 'auth.xaa.idp_token_url');
  parseUrlUnderPermission(
    block.insecure_target_token_url === true ? getInsecurePermission(target_token_url, permission) : permission,
    target_token_url,
    'auth.xaa.target_token_url',
  );
  if (target_resource !== undefined && !isResource(target_resource))
    throw fieldError('invalid', 'auth.xaa.target_resource', 'must be an absolute URI without fragment (RFC 8707)');
  if (idp_client_secret !== undefined && idp_client_id === undefined)
    throw fieldError('invalid', 'auth.xaa.idp_client_id', 'is required with idp_client_secret');
  if (target_client_secret !== undefined && target_client_id === undefined)
    throw fieldError('invalid', 'auth.xaa.target_client_id', 'is required with target_client_secret');
  requireSubjectTokenType('xaa', block.subject_token_type);
  return {
    auth: { type: 'xaa', xaa: block },
    secrets: [
      ...(idp_client_id === undefined ? [] : [createNeededSecret('xaa.idp_client_secret', idp_client_secret, true)]),
      ...(target_client_id === undefined
        ? []
        : [createNeededSecret('xaa.target_client_secret', target_client_secret, true)]),
    ],
    provider: createNeededProvider('xaa', block.provider_id, true),
  };
}

/** The rules for an authority that `insecure_target_token_url` allows. */
function getInsecurePermission(text: string, { allowLoopback }: Permission): Permission {
  const authority = URL.canParse(text) ? getAuthority(new URL(text)) : '';
  return { authority, allowPrivateIps: true, allowLoopback };
}

function requireBlock<Block>(block: Block | undefined, name: string): Block {
  if (block === undefined) throw fieldError('invalid', `auth.${name}`, 'is required');
  return block;
}

const createNeededProvider = (block: string, id: string, oidc: boolean): NeededProvider => ({
  path: `auth.${block}.provider_id`,
  id,
  oidc,
});

function createNeededSecret(
  field: SecretField,
  ref: SecretRef | undefined,
  optional = false,
): NeededSecret<SecretField> {
  const path = `auth.${field}`;
  return { field, path, reference: ref === undefined ? undefined : readReference(ref, path), optional };
}

function requireHeader(field: string, name: string): void {
  const problem = findHeaderNameProblem(name);
  if (problem !== undefined) throw fieldError('unprocessable', `auth.${field}`, problem);
}

function requireSubjectTokenType(block: string, type: string | undefined): void {
  if (type !== undefined && !SUBJECT_TOKEN_TYPES.has(type))
    throw fieldError(
      'invalid',
      `auth.${block}.subject_token_type`,
      `must be one of ${[...SUBJECT_TOKEN_TYPES].join(', ')}`,
    );
}

function requireRole(path: string, arn: string | undefined): void {
  if (arn === undefined || !ACCOUNT_ROLE.test(arn))
    throw fieldError('invalid', path, 'must be a role, such as arn:aws:iam::123456789012:role/readers');
}

function isResource(text: string): boolean {
  return URL.canParse(text) && !text.includes('#');
}

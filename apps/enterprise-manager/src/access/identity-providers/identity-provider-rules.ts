import type { Permission } from '@gatehouse/egress/target';
import { fieldError } from '@gatehouse/service-kit/http-error';
import { parseAllowedUrl } from '../../validation/allowed-url.ts';
import { toComparisonKey } from '../../validation/names.ts';
import { readReference, type SecretRef } from '../../secrets/references/secret-ref.dto.ts';
import type { NeededSecret } from '../../secrets/references/used-secrets.ts';
import type { StoredProviderConfig, ProviderSecretField, ProviderType } from './identity-provider.ts';
import type { ConnectorIdentityProviderWrite, Oauth2Config, OidcConfig } from './identity-providers.dto.ts';

/** A configured address, and the rules for it. */
export interface ConfiguredAddress {
  /** Its field in the request body. */
  field: string;
  /** The text of the administrator. */
  text: string;
  url: URL;
  permission: Permission;
}

/** A metadata document, and the statements that the provider needs in it. */
export interface ExpectedDocument {
  address: ConfiguredAddress;
  /** Whether the configured address is the issuer (OpenID Connect) or the document. */
  kind: 'issuer' | 'document';
  /** The purposes of the document. */
  needs: {
    /** The gateway registers at the endpoint of the document. */
    registration: boolean;
    /**
     * The gateway sends an initial access token to the registration endpoint, so the endpoint must
     * have the configured authority.
     */
    token: boolean;
  };
  /** The configured endpoints. The document must contain the same. */
  endpoints?: { authorization_endpoint: string; token_endpoint: string };
  authMethod: string | undefined;
}

/** An accepted provider, not yet checked against the network. */
export interface AcceptedProvider {
  state: { name: string; name_key: string; provider_type: ProviderType; config: StoredProviderConfig };
  secrets: NeededSecret<ProviderSecretField>[];
  /** Addresses that the gateway calls as configured. */
  addresses: ConfiguredAddress[];
  documents: ExpectedDocument[];
}

/**
 * Parameters of an authorization request that the gateway sets: RFC 6749, 7636, 8707, 9101, OpenID
 * Connect Core.
 */
const RESERVED_PARAMETERS: ReadonlySet<string> = new Set(
  'response_type response_mode client_id client_secret redirect_uri scope state nonce code_challenge code_challenge_method resource request request_uri'.split(
    ' ',
  ),
);

/**
 * Validates a provider. Returns the state to store, and the addresses and documents to check first.
 *
 * @throws HttpError invalid for a block of another type or with missing fields, unprocessable for
 * an address that may not be called and for references that this deployment does not support
 */
export function validateProvider(write: ConnectorIdentityProviderWrite, allowLoopback: boolean): AcceptedProvider {
  const { name, provider_type, oidc_config, oauth2_config } = write;
  const named = { name, name_key: toComparisonKey(name), provider_type };
  if (provider_type === 'oidc') {
    if (oauth2_config !== undefined) throw fieldError('invalid', 'oauth2_config', 'does not belong to the type oidc');
    if (oidc_config === undefined) throw fieldError('invalid', 'oidc_config', 'is required');
    return validateOidc(named, oidc_config, allowLoopback);
  }
  if (oidc_config !== undefined) throw fieldError('invalid', 'oidc_config', 'does not belong to the type oauth2');
  if (oauth2_config === undefined) throw fieldError('invalid', 'oauth2_config', 'is required');
  return validateOauth2(named, oauth2_config, allowLoopback);
}

type StateWithoutConfig = Omit<AcceptedProvider['state'], 'config'>;

function validateOidc(named: StateWithoutConfig, config: OidcConfig, allowLoopback: boolean): AcceptedProvider {
  const typed = createAddressReader('oidc_config', config, allowLoopback);
  const client = validateClient('oidc_config', config, typed);
  const issuer = typed('issuer_url', config.issuer_url);
  if (issuer.url.search !== '') throw fieldError('invalid', 'oidc_config.issuer_url', 'must not have a query');
  const reserved = Object.keys(config.additional_authorization_params ?? {}).find((name) =>
    RESERVED_PARAMETERS.has(name),
  );
  if (reserved !== undefined)
    throw fieldError(
      'unprocessable',
      `oidc_config.additional_authorization_params.${reserved}`,
      'is set by the gateway',
    );
  const registersAtIssuer = config.dcr !== undefined && client.registration === undefined;
  return {
    state: { ...named, config: { oidc_config: removeSecrets(config) } },
    secrets: client.secrets,
    addresses: client.addresses,
    documents: [
      {
        address: issuer,
        kind: 'issuer',
        needs: {
          registration: registersAtIssuer,
          token: registersAtIssuer && config.dcr?.initial_access_token !== undefined,
        },
        authMethod: config.token_endpoint_auth_method,
      },
      ...client.documents,
    ],
  };
}

function validateOauth2(named: StateWithoutConfig, config: Oauth2Config, allowLoopback: boolean): AcceptedProvider {
  const typed = createAddressReader('oauth2_config', config, allowLoopback);
  const client = validateClient('oauth2_config', config, typed);
  const { authorization_endpoint, token_endpoint } = config;
  if (config.dcr !== undefined && client.registration === undefined)
    throw fieldError('invalid', 'oauth2_config.dcr', 'must name discovery_url or registration_endpoint');
  return {
    state: { ...named, config: { oauth2_config: removeSecrets(config) } },
    secrets: client.secrets,
    addresses: [
      typed('authorization_endpoint', authorization_endpoint),
      typed('token_endpoint', token_endpoint),
      ...client.addresses,
    ],
    documents: client.documents.map((document) => ({
      ...document,
      endpoints: { authorization_endpoint, token_endpoint },
    })),
  };
}

type Block = 'oidc_config' | 'oauth2_config';
type AddressReader = (field: string, text: string) => ConfiguredAddress;

const createAddressReader =
  (block: Block, config: { allow_private_ips?: boolean | undefined }, allowLoopback: boolean): AddressReader =>
  (name, text) => {
    const field = `${block}.${name}`;
    return { field, text, ...parseAllowedUrl(text, field, config.allow_private_ips ?? false, allowLoopback) };
  };

/** Validates the fields of the gateway as a client, which both types have. */
function validateClient(
  block: Block,
  config: OidcConfig | Oauth2Config,
  typed: AddressReader,
): Pick<AcceptedProvider, 'secrets' | 'addresses' | 'documents'> & {
  registration: 'endpoint' | 'document' | undefined;
} {
  const { client_id, client_secret, dcr, token_endpoint_auth_method, redirect_uri } = config;
  if ((client_id === undefined) === (dcr === undefined))
    throw fieldError('invalid', `${block}.client_id`, 'exactly one of client_id and dcr is required');
  if (dcr !== undefined && client_secret !== undefined)
    throw fieldError('invalid', `${block}.client_secret`, 'does not belong to dcr: the registration gives one');
  if (dcr === undefined && client_secret === undefined && token_endpoint_auth_method !== undefined)
    throw fieldError('invalid', `${block}.token_endpoint_auth_method`, 'needs client_secret');
  // Only browsers open it, so only its form is validated.
  if (redirect_uri !== undefined) parseAllowedUrl(redirect_uri, `${block}.redirect_uri`, true, true);
  if (dcr?.discovery_url !== undefined && dcr.registration_endpoint !== undefined)
    throw fieldError('invalid', `${block}.dcr`, 'must name discovery_url or registration_endpoint, not both');
  const secrets = [
    ...listNeededSecrets(`${block}.client_secret`, client_secret),
    ...listNeededSecrets(`${block}.dcr.initial_access_token`, dcr?.initial_access_token),
  ];
  if (dcr?.registration_endpoint !== undefined)
    return {
      secrets,
      addresses: [typed('dcr.registration_endpoint', dcr.registration_endpoint)],
      documents: [],
      registration: 'endpoint',
    };
  if (dcr?.discovery_url === undefined) return { secrets, addresses: [], documents: [], registration: undefined };
  const document: ExpectedDocument = {
    address: typed('dcr.discovery_url', dcr.discovery_url),
    kind: 'document',
    needs: { registration: true, token: dcr.initial_access_token !== undefined },
    authMethod: token_endpoint_auth_method,
  };
  return { secrets, addresses: [], documents: [document], registration: 'document' };
}

function listNeededSecrets(
  field: ProviderSecretField,
  ref: SecretRef | undefined,
): NeededSecret<ProviderSecretField>[] {
  return ref === undefined ? [] : [{ field, path: field, reference: readReference(ref, field), optional: false }];
}

/** Removes the references to secrets, which are stored separately. */
function removeSecrets<Config extends OidcConfig | Oauth2Config>({ client_secret: _, dcr, ...rest }: Config) {
  if (dcr === undefined) return rest;
  const { initial_access_token: __, ...registration } = dcr;
  return { ...rest, dcr: registration };
}

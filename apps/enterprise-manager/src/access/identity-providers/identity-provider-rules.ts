import type { Permission } from '@gatehouse/egress/target';
import { fieldError } from '@gatehouse/service-kit/http-error';
import { acceptedUrl } from '../../validation/accepted-url.ts';
import { comparisonKey } from '../../validation/names.ts';
import { referenceOf, type SecretRef } from '../../secrets/references/secret-ref.dto.ts';
import type { NeededSecret } from '../../secrets/references/used-secrets.ts';
import type { HeldProviderConfig, ProviderSecretField, ProviderType } from './identity-provider.ts';
import type { ConnectorIdentityProviderWrite, Oauth2Config, OidcConfig } from './identity-providers.dto.ts';

/** An address that somebody typed, and what is allowed for it. */
export interface TypedAddress {
  /** Where it stands in the body. */
  field: string;
  /** As it was typed. */
  text: string;
  url: URL;
  permission: Permission;
}

/** A metadata document that must say what the provider needs. */
export interface ExpectedDocument {
  address: TypedAddress;
  /** Of OpenID Connect the typed address is the issuer, else it is the document itself. */
  kind: 'issuer' | 'document';
  /** What the document is read for. */
  needs: {
    /** The gateway registers at the endpoint that the document names. */
    registration: boolean;
    /** An initial access token goes there, so it must be on the authority that was typed. */
    token: boolean;
  };
  /** Endpoints that were typed: the document must not name others. */
  endpoints?: { authorization_endpoint: string; token_endpoint: string };
  authMethod: string | undefined;
}

/** An accepted provider, not yet checked against the network. */
export interface AcceptedProvider {
  state: { name: string; name_key: string; provider_type: ProviderType; config: HeldProviderConfig };
  secrets: NeededSecret<ProviderSecretField>[];
  /** Addresses that the gateway will call as they were typed. */
  addresses: TypedAddress[];
  documents: ExpectedDocument[];
}

/**
 * Parameters of an authorization request that the gateway sets: RFC 6749, 7636, 8707, 9101, OpenID
 * Connect Core.
 */
const OWN_PARAMETERS: ReadonlySet<string> = new Set(
  'response_type response_mode client_id client_secret redirect_uri scope state nonce code_challenge code_challenge_method resource request request_uri'.split(
    ' ',
  ),
);

/**
 * The provider to be stored, and what is to be asked of the network first.
 *
 * @throws HttpError invalid for a block that does not belong to the type or does not say what it
 * must, unprocessable for an address that may not be called and for references that this deployment
 * cannot hold
 */
export function acceptedProvider(write: ConnectorIdentityProviderWrite, allowLoopback: boolean): AcceptedProvider {
  const { name, provider_type, oidc_config, oauth2_config } = write;
  const named = { name, name_key: comparisonKey(name), provider_type };
  if (provider_type === 'oidc') {
    if (oauth2_config !== undefined) throw fieldError('invalid', 'oauth2_config', 'does not belong to the type oidc');
    if (oidc_config === undefined) throw fieldError('invalid', 'oidc_config', 'is required');
    return acceptedOidc(named, oidc_config, allowLoopback);
  }
  if (oidc_config !== undefined) throw fieldError('invalid', 'oidc_config', 'does not belong to the type oauth2');
  if (oauth2_config === undefined) throw fieldError('invalid', 'oauth2_config', 'is required');
  return acceptedOauth2(named, oauth2_config, allowLoopback);
}

type Named = Omit<AcceptedProvider['state'], 'config'>;

function acceptedOidc(named: Named, config: OidcConfig, allowLoopback: boolean): AcceptedProvider {
  const typed = addressReader('oidc_config', config, allowLoopback);
  const client = acceptedClient('oidc_config', config, typed);
  const issuer = typed('issuer_url', config.issuer_url);
  if (issuer.url.search !== '') throw fieldError('invalid', 'oidc_config.issuer_url', 'must not have a query');
  const foreign = Object.keys(config.additional_authorization_params ?? {}).find((name) => OWN_PARAMETERS.has(name));
  if (foreign !== undefined)
    throw fieldError(
      'unprocessable',
      `oidc_config.additional_authorization_params.${foreign}`,
      'is set by the gateway',
    );
  const bySelf = config.dcr !== undefined && client.registration === undefined;
  return {
    state: { ...named, config: { oidc_config: withoutSecrets(config) } },
    secrets: client.secrets,
    addresses: client.addresses,
    documents: [
      {
        address: issuer,
        kind: 'issuer',
        needs: { registration: bySelf, token: bySelf && config.dcr?.initial_access_token !== undefined },
        authMethod: config.token_endpoint_auth_method,
      },
      ...client.documents,
    ],
  };
}

function acceptedOauth2(named: Named, config: Oauth2Config, allowLoopback: boolean): AcceptedProvider {
  const typed = addressReader('oauth2_config', config, allowLoopback);
  const client = acceptedClient('oauth2_config', config, typed);
  const { authorization_endpoint, token_endpoint } = config;
  if (config.dcr !== undefined && client.registration === undefined)
    throw fieldError('invalid', 'oauth2_config.dcr', 'must name discovery_url or registration_endpoint');
  return {
    state: { ...named, config: { oauth2_config: withoutSecrets(config) } },
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
type AddressReader = (field: string, text: string) => TypedAddress;

const addressReader =
  (block: Block, config: { allow_private_ips?: boolean | undefined }, allowLoopback: boolean): AddressReader =>
  (name, text) => {
    const field = `${block}.${name}`;
    return { field, text, ...acceptedUrl(text, field, config.allow_private_ips ?? false, allowLoopback) };
  };

/** What both types say about the client that a gateway is. */
function acceptedClient(
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
  // The browser goes there, not this service: only its form is judged.
  if (redirect_uri !== undefined) acceptedUrl(redirect_uri, `${block}.redirect_uri`, true, true);
  if (dcr?.discovery_url !== undefined && dcr.registration_endpoint !== undefined)
    throw fieldError('invalid', `${block}.dcr`, 'must name discovery_url or registration_endpoint, not both');
  const secrets = [
    ...neededSecret(`${block}.client_secret`, client_secret),
    ...neededSecret(`${block}.dcr.initial_access_token`, dcr?.initial_access_token),
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

function neededSecret(field: ProviderSecretField, ref: SecretRef | undefined): NeededSecret<ProviderSecretField>[] {
  return ref === undefined ? [] : [{ field, path: field, name: referenceOf(ref, field), optional: false }];
}

/** The configuration without its references, which are kept beside it. */
function withoutSecrets<Config extends OidcConfig | Oauth2Config>({ client_secret: _, dcr, ...rest }: Config) {
  if (dcr === undefined) return rest;
  const { initial_access_token: __, ...registration } = dcr;
  return { ...rest, dcr: registration };
}

import { type ClientMetadata, errors } from 'oidc-provider';
import { classifyRedirectUri } from './redirect-uris.ts';

/** A property that no client has. The provider calls its validator for every client. */
export const RULES_PROPERTY = 'gatehouse_rules';

const MAX_REDIRECT_URIS = 20;
const MAX_NAME_LENGTH = 100;

const OFFERED_GRANTS: ReadonlySet<string> = new Set(['authorization_code', 'refresh_token']);

/** Parts of a client that would let this server request an address, or that it does not offer. */
const REFUSED_PROPERTIES = ['sector_identifier_uri', 'request_uris', 'backchannel_logout_uri'] as const;

/**
 * The rules for clients that registered themselves or have a metadata document. Grants that this
 * server does not offer are left out, as RFC 7591, section 2, permits.
 * @throws InvalidClientMetadata, with the code `invalid_redirect_uri` for a redirect URI
 */
export function applyClientRules(metadata: ClientMetadata): void {
  const uris: unknown = metadata.redirect_uris;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    throw new errors.InvalidClientMetadata(`redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} addresses`);
  const kinds = uris.map(classifyRedirectUri);
  if (kinds.includes(undefined))
    throw new errors.InvalidClientMetadata(
      'redirect_uris must be https addresses, http addresses of the loopback host, or addresses of a private-use scheme, without user, fragment and special characters',
    );
  const name = metadata.client_name;
  if (name !== undefined && !isName(name))
    throw new errors.InvalidClientMetadata(`client_name must be 1 to ${MAX_NAME_LENGTH} printable characters`);
  for (const property of REFUSED_PROPERTIES)
    if (metadata[property] !== undefined)
      throw new errors.InvalidClientMetadata(`${property} is not supported: leave it out`);
  // A native client may use any port of a loopback redirect URI (RFC 8252, section 7.3).
  metadata.application_type = kinds.every((kind) => kind === 'https') ? 'web' : 'native';
  const grants: unknown = metadata.grant_types;
  if (grants !== undefined && !Array.isArray(grants))
    throw new errors.InvalidClientMetadata('grant_types must be a list');
  if (grants !== undefined) metadata.grant_types = grants.filter((grant: string) => OFFERED_GRANTS.has(grant));
  delete metadata.scope;
}

const isName = (name: unknown): boolean =>
  typeof name === 'string' &&
  name.trim() !== '' &&
  name.length <= MAX_NAME_LENGTH &&
  !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(name);

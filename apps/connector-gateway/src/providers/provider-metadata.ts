import { discoverProvider } from '@gatehouse/oauth-client/discovery';
import { InvalidProviderError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import type { ProviderHttp, ProviderMetadata } from '@gatehouse/oauth-client/provider';
import { z } from 'zod';
import { isBrowserAddress, type TypedAddresses } from './provider-http.ts';
import type { ProviderConfig } from './provider-config.ts';

/** The members of a registration document that a provider with configured endpoints uses. */
const registrationDocument = z.object({
  issuer: z.string().optional(),
  registration_endpoint: z.string().optional(),
  revocation_endpoint: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
});

/**
 * Determines the metadata of a provider: from its discovery document, or from the configured
 * endpoints. Without any document, the issuer of a provider with configured endpoints is the origin
 * of its authorization endpoint.
 * @throws ProviderUnavailableError, InvalidProviderError
 */
export async function readProviderMetadata(
  config: ProviderConfig,
  typed: TypedAddresses,
  http: ProviderHttp,
): Promise<ProviderMetadata> {
  const metadata = config.kind === 'oidc' ? await readOidc(config, http) : await readOauth2(config, http);
  const { authorization_endpoint: address } = metadata;
  if (address !== undefined && !isBrowserAddress(typed, address))
    throw new InvalidProviderError('the authorization endpoint is not an https address');
  return metadata;
}

async function readOidc(
  { issuer_url, dcr }: ProviderConfig & { kind: 'oidc' },
  http: ProviderHttp,
): Promise<ProviderMetadata> {
  // Many OpenID providers support S256 without listing it. One that lets clients register follows
  // the MCP specification, which requires the list.
  const discovered = await discoverProvider(issuer_url, http, { prefers: 'openid', requiresPkce: dcr !== undefined });
  const endpoint = await findRegistrationEndpoint(dcr, http);
  return endpoint === undefined ? discovered : { ...discovered, registration_endpoint: endpoint };
}

async function findRegistrationEndpoint(dcr: ProviderConfig['dcr'], http: ProviderHttp): Promise<string | undefined> {
  if (dcr?.discovery_url === undefined) return dcr?.registration_endpoint;
  return (await readRegistrationDocument(dcr.discovery_url, http)).registration_endpoint;
}

async function readOauth2(
  { authorization_endpoint, token_endpoint, dcr }: ProviderConfig & { kind: 'oauth2' },
  http: ProviderHttp,
): Promise<ProviderMetadata> {
  const document =
    dcr?.discovery_url === undefined
      ? { registration_endpoint: dcr?.registration_endpoint }
      : await readRegistrationDocument(dcr.discovery_url, http);
  const known = Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined));
  return { issuer: new URL(authorization_endpoint).origin, ...known, authorization_endpoint, token_endpoint };
}

async function readRegistrationDocument(
  address: string,
  http: ProviderHttp,
): Promise<z.output<typeof registrationDocument>> {
  const response = await http
    .fetch(address, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(http.timeoutS * 1000) })
    .catch((cause: unknown) => {
      if (cause instanceof InvalidProviderError) throw cause;
      throw new ProviderUnavailableError('the registration document cannot be read', { cause });
    });
  if (response.status >= 500)
    throw new ProviderUnavailableError(`the registration document is HTTP ${response.status}`);
  const { data } = registrationDocument.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || data === undefined)
    throw new InvalidProviderError('the registration document is not a metadata document (RFC 8414)');
  return data;
}

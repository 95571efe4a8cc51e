import { userInfo } from 'node:os';
import type { ProxyOptions } from '@gatehouse/proxy/options';
import type { ClientSecrets } from '../configuration/client-secrets.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { readCertificates } from '../flags/certificates.ts';
import { hasCollector } from '../flags/telemetry-section.ts';
import { findSubjectTokenType } from '../flags/token-exchange.ts';

/** The parts of the authentication of a workload that its configuration does not hold. */
export interface AuthenticationParts {
  readonly clientSecrets: ClientSecrets<string>;
  /** PEM; undefined: those of the system alone. */
  readonly certificates: string | undefined;
}

/** The options of a proxy that find the caller of a request. */
type AuthenticationOptions = Pick<ProxyOptions, 'authentication' | 'tokenExchange' | 'localUser'>;

/** Reads the certificates of the issuer, or else of the collector. @throws WorkloadError (usage) */
export function readIssuerCertificates({ oidc_config: oidc, ...config }: RunConfig): string | undefined {
  const path = oidc?.CACertPath || config.thv_ca_bundle;
  return (oidc == null && !hasCollector(config.telemetry_config)) || !path
    ? undefined
    : readCertificates(path, `the CA file ${path}`);
}

/** Reads the certificates of `--gatehouse-ca-bundle`. @throws WorkloadError (usage) */
export const readBundle = ({ thv_ca_bundle: bundle }: RunConfig): string | undefined =>
  bundle ? readCertificates(bundle, `the CA file ${bundle}`) : undefined;

/**
 * Returns the options of the proxy of a workload that find the caller.
 * @throws WorkloadError (failed) for a token exchange without authentication
 */
export function createAuthenticationOptions(config: RunConfig, parts: AuthenticationParts): AuthenticationOptions {
  const { oidc_config: oidc, token_exchange_config: exchange } = config;
  if (oidc == null) {
    if (exchange != null)
      throw new WorkloadError(
        'usage',
        `token_exchange_config of ${config.name} needs oidc_config, which verifies tokens`,
      );
    return { localUser: getLocalUser() };
  }
  const { clientSecrets, certificates } = parts;
  const tokenFile = oidc.AuthTokenFile || config.jwks_auth_token_file;
  const http = {
    allowPrivateAddresses: oidc.AllowPrivateIP ?? false,
    allowHttp: oidc.InsecureAllowHTTP ?? false,
    ...(certificates !== undefined && { certificates }),
  };
  const type = findSubjectTokenType(exchange?.subject_token_type ?? '') ?? 'access_token';
  return {
    authentication: {
      ...http,
      ...(oidc.Issuer && { issuer: oidc.Issuer }),
      ...(oidc.Audience && { audience: oidc.Audience }),
      ...(oidc.JWKSURL && { jwksUrl: oidc.JWKSURL }),
      ...(oidc.IntrospectionURL && { introspectionUrl: oidc.IntrospectionURL }),
      ...(oidc.ClientID && { clientId: oidc.ClientID }),
      ...(clientSecrets.oidc !== undefined && { clientSecret: clientSecrets.oidc }),
      ...(oidc.ResourceURL && { resourceUrl: oidc.ResourceURL }),
      ...(oidc.Scopes && { scopes: oidc.Scopes }),
      ...(tokenFile && { tokenFile }),
      acceptsIdTokens: (exchange != null && type === 'id_token') || isForOwnClient(oidc),
    },
    ...(exchange != null && {
      tokenExchange: {
        ...http,
        tokenUrl: exchange.token_url ?? '',
        ...(exchange.client_id && { clientId: exchange.client_id }),
        ...(clientSecrets.token_exchange !== undefined && { clientSecret: clientSecrets.token_exchange }),
        ...(exchange.audience && { audience: exchange.audience }),
        ...(exchange.scopes && { scopes: exchange.scopes }),
        subjectTokenType: type,
        ...(exchange.header_strategy === 'custom' && { headerName: exchange.external_token_header_name ?? '' }),
      },
    }),
  };
}

/** The user of this machine, who calls a workload without authentication. */
function getLocalUser(): string {
  try {
    return userInfo().username || 'local';
  } catch {
    // The user has no name, as in a pod.
    return 'local';
  }
}

/**
 * Whether the accepted audience is the client itself. Issuers such as dex name it in all their
 * tokens, so that access tokens look like ID tokens.
 */
const isForOwnClient = ({ Audience, ClientID }: NonNullable<RunConfig['oidc_config']>): boolean =>
  Boolean(Audience) && Audience === ClientID;

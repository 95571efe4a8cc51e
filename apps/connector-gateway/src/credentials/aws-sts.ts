import { type AwsKeys, signRequest } from '@gatehouse/aws-signature/aws-signature';
import type { OutgoingRequest, RequestHeaders } from '@gatehouse/mcp/client/connection';
import type { ProviderHttp } from '@gatehouse/oauth-client/provider';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { CredentialError } from '../mcp/ports/upstream-secrets.ts';
import { readProviderConfig } from '../providers/provider-config.ts';
import { createProviderHttp } from '../providers/provider-http.ts';
import { readAuthSettings } from './auth-settings.ts';
import { chooseRole, createSessionName } from './aws-role.ts';
import { assumeRole } from './aws-sts-client.ts';
import { type CredentialSource, DEFAULT_SKEW_MS, type IssuedCredential } from './credential-source.ts';
import type { SubjectToken } from './subject-tokens.ts';

/** The settings of the deployment for AWS STS. */
export interface AwsStsOptions {
  /** The address of STS; default: that of the region. */
  readonly endpoint: string | undefined;
  readonly allowLoopback: boolean;
  readonly now: () => number;
}

/**
 * Temporary keys of an AWS role for the caller (AssumeRoleWithWebIdentity), with which each request
 * to the upstream is signed. The caller's token goes to STS only.
 */
export class AwsSts implements CredentialSource<AwsKeys> {
  constructor(private readonly options: AwsStsOptions) {}

  async obtain(
    connector: Connector,
    { accessToken, idToken, claims }: SubjectToken,
  ): Promise<IssuedCredential<AwsKeys>> {
    const settings = readAuthSettings(connector, 'aws_sts');
    requireOwnIssuer(connector, claims);
    const roleArn = chooseRole(settings, claims);
    if (roleArn === undefined) throw new CredentialError('cannot be called, because it has no AWS role for you');
    const { endpoint = getStsEndpoint(settings.region), now } = this.options;
    const { keys, expiresAt } = await assumeRole(this.createHttp(), endpoint, {
      roleArn,
      sessionName: createSessionName(settings, claims),
      token: idToken ?? accessToken,
      durationSeconds: settings.session_duration,
      now: now(),
    });
    return { value: keys, expiresAt, skewMs: DEFAULT_SKEW_MS };
  }

  createHeaders(connector: Connector, keys: AwsKeys, request: OutgoingRequest): Promise<RequestHeaders> {
    const { region, service } = readAuthSettings(connector, 'aws_sts');
    return signRequest(request, keys, { region, service }, new Date(this.options.now()));
  }

  private createHttp(): ProviderHttp {
    const { endpoint, allowLoopback } = this.options;
    const addresses = endpoint === undefined ? [] : [endpoint];
    return createProviderHttp({ addresses, allowPrivateIps: addresses.length > 0, allowLoopback });
  }
}

/** The endpoint of STS in a region. */
const getStsEndpoint = (region: string): string =>
  `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}/`;

/**
 * AWS trusts the tokens of the connector's identity provider. A token of another issuer is not
 * sent.
 * @throws CredentialError
 */
function requireOwnIssuer({ identity_provider }: Connector, { iss }: SubjectToken['claims']): void {
  const config = identity_provider && readProviderConfig(identity_provider);
  if (config?.kind !== 'oidc') return;
  if (typeof iss !== 'string' || iss.replace(/\/$/, '') !== config.issuer_url.replace(/\/$/, ''))
    throw new CredentialError('cannot be called, because AWS does not know the identity provider of your token');
}

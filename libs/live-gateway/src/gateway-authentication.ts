import type { MissingVerifierConfig, VerifierConfig } from '@gatehouse/auth/verifier-config';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { LiveAuthentication } from '@gatehouse/service-kit/authentication';
import { isDeepStrictEqual } from 'node:util';
import type { GatewayIdentity } from './gateway-settings.ts';
import { resolveServiceRoles } from './service-roles.ts';

/** The id of the issuer of an AIGateway. It has one issuer at a time. */
const ISSUER_ID = 'oidc';

/**
 * The authentication that the AIGateway of this instance describes: issuer, audience and roles. It
 * follows the resource.
 */
export class GatewayAuthentication implements LiveAuthentication {
  config: VerifierConfig | MissingVerifierConfig;
  private auth: AIGateway['spec']['auth'] | undefined;
  private readonly listeners: (() => void)[] = [];

  constructor({ NAMESPACE, GATEWAY_NAME }: GatewayIdentity) {
    this.config = { missing: `the AIGateway ${NAMESPACE}/${GATEWAY_NAME} is not read yet` };
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Takes the authentication of a gateway. An equal one keeps the verified tokens. */
  follow({ spec: { auth } }: AIGateway): void {
    if (this.auth !== undefined && isDeepStrictEqual(auth, this.auth)) return;
    this.auth = auth;
    this.change(toVerifierConfig(auth));
  }

  /** Refuses every token. @param missing the reason, as a sentence for callers */
  refuse(missing: string): void {
    this.auth = undefined;
    if (!isDeepStrictEqual(this.config, { missing })) this.change({ missing });
  }

  private change(config: VerifierConfig | MissingVerifierConfig): void {
    this.config = config;
    for (const listener of this.listeners) listener();
  }
}

const toVerifierConfig = ({ oidc, authz }: AIGateway['spec']['auth']): VerifierConfig => ({
  issuers: [
    {
      id: ISSUER_ID,
      issuer: oidc.issuer,
      jwks_uri: oidc.jwksUri,
      roles: (claims) => resolveServiceRoles(claims, authz),
    },
  ],
  audience: oidc.audience,
});

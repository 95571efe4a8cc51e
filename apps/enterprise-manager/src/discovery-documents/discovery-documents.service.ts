import { Refusal } from '@gatehouse/service-kit/refusal';
import { Inject, Injectable } from '@nestjs/common';
import { calculateJwkThumbprint } from 'jose';
import { publicUrl, SETTINGS, type Settings } from '../config.ts';
import type { ClientBootstrapDiscovery, JWKS, ProtectedResourceMetadata } from './discovery-documents.dto.ts';

const SCOPES = ['openid', 'profile', 'email'];

/** What strangers may know: where to sign in, and which keys sign what this service says. */
@Injectable()
export class DiscoveryDocumentsService {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** @throws Refusal not_found where the deployment does not publish it */
  protectedResource(): ProtectedResourceMetadata {
    if (!this.settings.PUBLISH_RESOURCE_METADATA) {
      throw new Refusal('not_found', 'this deployment does not publish protected resource metadata');
    }
    return {
      resource: publicUrl(this.settings),
      authorization_servers: this.settings.ISSUERS.map(({ issuer }) => issuer),
      bearer_methods_supported: ['header'],
      jwks_uri: this.at('/.well-known/jwks.json'),
      scopes_supported: SCOPES,
    };
  }

  /** Where a client begins: it signs in at the first issuer, the deployment's own. */
  clientBootstrap(): ClientBootstrapDiscovery {
    return {
      issuer: this.settings.ISSUERS[0]?.issuer ?? '',
      client_id: this.settings.CLIENT_ID,
      scopes_supported: [...SCOPES, 'offline_access'],
      config_endpoint: this.at('/api/v1beta/config'),
      jwks_uri: this.at('/.well-known/jwks.json'),
      oauth_protected_resource: this.at('/.well-known/oauth-protected-resource'),
    };
  }

  /** The public half of the signing key. @throws Refusal unavailable without one */
  async keySet(): Promise<JWKS> {
    const key = this.settings.SIGNING_KEY;
    if (!key) throw new Refusal('unavailable', 'this deployment has no signing key yet', { retryAfterSeconds: 60 });
    const { kty, crv, x, y } = key;
    const kid = key.kid ?? (await calculateJwkThumbprint({ kty, crv, x, y }));
    return { keys: [{ kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }] };
  }

  private at(path: string): string {
    return `${publicUrl(this.settings)}${path}`;
  }
}

import { Refusal } from '@gatehouse/service-kit/refusal';
import { resourceMetadataUrl } from '@gatehouse/service-kit/resource-metadata';
import { Inject, Injectable } from '@nestjs/common';
import { publicUrl, SETTINGS, type Settings } from '../config.ts';
import { SigningKeyRing } from '../signing-keys/signing-key-ring.ts';
import type { ClientBootstrapDiscovery, JWKS, ProtectedResourceMetadata } from './discovery-documents.dto.ts';

const SCOPES = ['openid', 'profile', 'email'];

/** What strangers may know: where to sign in, and which keys sign what this service says. */
@Injectable()
export class DiscoveryDocumentsService {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly ring: SigningKeyRing,
  ) {}

  /**
   * @param path of the resource, as it was asked for behind the well-known part (RFC 9728 §3.1)
   * @throws Refusal not_found where the deployment does not publish it, or has no resource with this path
   */
  protectedResource(path = ''): ProtectedResourceMetadata {
    if (!this.settings.PUBLISH_RESOURCE_METADATA) {
      throw new Refusal('not_found', 'this deployment does not publish protected resource metadata');
    }
    const resource = publicUrl(this.settings);
    if (path !== '' && `/${path}` !== new URL(resource).pathname) {
      throw new Refusal('not_found', 'no protected resource of this deployment has this path');
    }
    return {
      resource,
      authorization_servers: this.settings.ISSUERS.map(({ issuer }) => issuer),
      bearer_methods_supported: ['header'],
      jwks_uri: this.at('/.well-known/jwks.json'),
      scopes_supported: SCOPES,
      resource_name: 'Gatehouse enterprise manager',
      resource_documentation: this.at('/api/doc'),
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
      oauth_protected_resource: resourceMetadataUrl(publicUrl(this.settings)),
    };
  }

  /** The public halves of the signing keys. @throws Refusal unavailable while there are none */
  keySet(): JWKS {
    const keys = this.ring.shown();
    if (keys.length === 0)
      throw new Refusal('unavailable', 'this deployment has no signing key yet', { retryAfterSeconds: 60 });
    return { keys };
  }

  private at(path: string): string {
    return `${publicUrl(this.settings)}${path}`;
  }
}

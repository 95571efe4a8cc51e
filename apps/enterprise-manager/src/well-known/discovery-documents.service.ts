import { getResourceMetadataUrl } from '@gatehouse/auth/resource-metadata-url';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { SIGN_IN_SCOPES } from '@gatehouse/service-kit/resource-metadata';
import { Inject, Injectable } from '@nestjs/common';
import { publicUrl, SETTINGS, type Settings } from '../config/config.ts';
import { SigningKeyRing } from '../client-config/signing-keys/signing-key-ring.ts';
import type { ClientBootstrapDiscovery, JWKS } from './discovery-documents.dto.ts';

/** Builds the public discovery documents. */
@Injectable()
export class DiscoveryDocumentsService {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly ring: SigningKeyRing,
  ) {}

  /** Returns the client discovery document. Clients sign in at the first configured issuer. */
  getClientBootstrap(): ClientBootstrapDiscovery {
    return {
      issuer: this.settings.ISSUERS[0]?.issuer ?? '',
      client_id: this.settings.CLIENT_ID,
      scopes_supported: [...SIGN_IN_SCOPES, 'offline_access'],
      config_endpoint: this.getUrl('/api/v1beta/config'),
      jwks_uri: this.getUrl('/.well-known/jwks.json'),
      oauth_protected_resource: getResourceMetadataUrl(publicUrl(this.settings)),
    };
  }

  /** Returns the public signing keys. @throws HttpError unavailable without a key */
  getKeySet(): JWKS {
    const keys = this.ring.getPublishedKeys();
    if (keys.length === 0)
      throw new HttpError('unavailable', 'this deployment has no signing key yet', { retryAfterMs: 60_000 });
    return { keys };
  }

  private getUrl(path: string): string {
    return `${publicUrl(this.settings)}${path}`;
  }
}

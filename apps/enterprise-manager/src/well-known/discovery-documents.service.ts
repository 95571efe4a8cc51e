import { resourceMetadataUrl } from '@gatehouse/auth/resource-metadata-url';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { SIGN_IN_SCOPES } from '@gatehouse/service-kit/resource-metadata';
import { Inject, Injectable } from '@nestjs/common';
import { publicUrl, SETTINGS, type Settings } from '../config/config.ts';
import { SigningKeyRing } from '../client-config/signing-keys/signing-key-ring.ts';
import type { ClientBootstrapDiscovery, JWKS } from './discovery-documents.dto.ts';

/** What strangers may know: where to sign in, and which keys sign what this service says. */
@Injectable()
export class DiscoveryDocumentsService {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly ring: SigningKeyRing,
  ) {}

  /** Where a client begins: it signs in at the first issuer, the deployment's own. */
  clientBootstrap(): ClientBootstrapDiscovery {
    return {
      issuer: this.settings.ISSUERS[0]?.issuer ?? '',
      client_id: this.settings.CLIENT_ID,
      scopes_supported: [...SIGN_IN_SCOPES, 'offline_access'],
      config_endpoint: this.at('/api/v1beta/config'),
      jwks_uri: this.at('/.well-known/jwks.json'),
      oauth_protected_resource: resourceMetadataUrl(publicUrl(this.settings)),
    };
  }

  /** The public halves of the signing keys. @throws HttpError unavailable while there are none */
  keySet(): JWKS {
    const keys = this.ring.getPublishedKeys();
    if (keys.length === 0)
      throw new HttpError('unavailable', 'this deployment has no signing key yet', { retryAfterMs: 60_000 });
    return { keys };
  }

  private at(path: string): string {
    return `${publicUrl(this.settings)}${path}`;
  }
}

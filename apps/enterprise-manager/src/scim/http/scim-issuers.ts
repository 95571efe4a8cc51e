import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { Inject, Injectable } from '@nestjs/common';
import { publicUrl, SETTINGS, type Settings } from '../../config/config.ts';

/** The configured issuers. Each has a SCIM endpoint for its users and groups. */
@Injectable()
export class ScimIssuers {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Finds an issuer by id. */
  find(id: string): IssuerSettings | undefined {
    return this.settings.ISSUERS.find((issuer) => issuer.id === id);
  }

  /**
   * Returns the issuer of an authenticated caller.
   * @throws Error for an issuer that is not configured, which authentication excludes
   */
  getIssuer({ issuerId }: { issuerId: string }): IssuerSettings {
    const issuer = this.find(issuerId);
    if (!issuer) throw new Error(`the issuer ${issuerId} is not configured`);
    return issuer;
  }

  /** Base URL of an issuer's endpoint, without a slash at its end. */
  getBaseUrl(issuerId: string): string {
    return `${publicUrl(this.settings)}/scim/${issuerId}/v2`;
  }
}

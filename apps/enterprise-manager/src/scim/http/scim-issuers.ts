import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { Inject, Injectable } from '@nestjs/common';
import { publicUrl, SETTINGS, type Settings } from '../../config/config.ts';

/** The issuers whose people and groups can be provisioned: all that are configured. */
@Injectable()
export class ScimIssuers {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** The issuer with an id. */
  find(id: string): IssuerSettings | undefined {
    return this.settings.ISSUERS.find((issuer) => issuer.id === id);
  }

  /**
   * The issuer that a recognised caller belongs to.
   * @throws Error for one that is not configured, which no recognised caller is
   */
  of({ issuerId }: { issuerId: string }): IssuerSettings {
    const issuer = this.find(issuerId);
    if (!issuer) throw new Error(`the issuer ${issuerId} is not configured`);
    return issuer;
  }

  /** Address of an issuer's endpoint, without a slash at the end. */
  baseUrl(issuerId: string): string {
    return `${publicUrl(this.settings)}/scim/${issuerId}/v2`;
  }
}

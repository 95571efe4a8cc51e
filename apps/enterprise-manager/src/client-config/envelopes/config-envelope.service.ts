import { isUnavailable } from '@gatehouse/database/unavailable';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { computeDigest } from '@gatehouse/signed-config/canonical';
import { formatDuration } from '@gatehouse/signed-config/duration';
import { type ConfigEnvelope, SCHEMA_VERSION, type UnsignedEnvelope } from '@gatehouse/signed-config/envelope';
import { type SigningKey, signEnvelope } from '@gatehouse/signed-config/sign';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { SigningKeyRing } from '../signing-keys/signing-key-ring.ts';
import { DirectoryEntries } from '../../people/users/directory-entries.service.ts';
import type { ClientType } from './config-envelope.dto.ts';
import { type ConfigRecipient, toRecipient } from './config-recipient.ts';
import { ConfigIssuesRepository, type StoredIssue } from './config-issues.repository.ts';
import { type MergedConfig, MergedConfigs } from './merged-configs.ts';
import { isFresh, type IssueTimes, getNextIssueTimes } from './issue-times.ts';
import { LastKnownConfigs } from './last-known-configs.ts';

/** Attempts if other transactions change the documents or issue envelopes at the same time. */
const MAX_ATTEMPTS = 20;

/** An envelope for a caller. */
export interface IssuedConfig {
  envelope: ConfigEnvelope;
  /**
   * Whether the envelope must be sent without a comparison of ETags: it is new, or it was signed
   * while the database is unavailable.
   */
  shouldSendInFull: boolean;
}

/**
 * Issues configuration envelopes. The database stores the last issued envelope of each recipient,
 * so all replicas answer with the same envelope, and issue the next one later. While the database
 * is unavailable, a replica answers with the last configuration that it has read for the recipient.
 */
@Injectable()
export class ConfigEnvelopeService {
  constructor(
    private readonly issues: ConfigIssuesRepository,
    private readonly mergedConfigs: MergedConfigs,
    private readonly lastKnown: LastKnownConfigs,
    private readonly ring: SigningKeyRing,
    private readonly entries: DirectoryEntries,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Returns the envelope for a caller and a type of client.
   * @throws HttpError unavailable without a signing key, and while the database is unavailable and
   * this replica has no configuration for the caller within the grace period
   */
  async getEnvelope(caller: Caller, clientType: ClientType): Promise<IssuedConfig> {
    const recipient = { issuer: caller.issuer, subject: caller.subject, clientType };
    // RFC 8785 has no form for a lone surrogate, so such subjects have no signature.
    if (!recipient.subject.isWellFormed())
      throw new HttpError('invalid', 'sub: the subject of the token contains half of a surrogate pair');
    this.ring.getCurrent();
    try {
      return await this.getCurrentEnvelope(caller, recipient);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const envelope = await this.lastKnown.getEnvelope(recipient);
      if (!envelope) throw error;
      return { envelope, shouldSendInFull: true };
    }
  }

  private async getCurrentEnvelope(caller: Caller, recipient: ConfigRecipient): Promise<IssuedConfig> {
    const readAt = this.clock.now().getTime();
    const entry = await this.entries.findByCaller(caller);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { revision, group_ids, issue } = await this.issues.readFacts(
        recipient,
        entry?.active ? entry.id : undefined,
      );
      const merged = await this.mergedConfigs.get(revision, group_ids);
      const issued = merged && (await this.reuseOrIssue(recipient, merged, issue ?? undefined));
      if (!issued) continue;
      this.lastKnown.remember(recipient, { merged, envelope: issued.envelope, readAt });
      return issued;
    }
    throw new HttpError('unavailable', 'the configuration changed several times during this request; try again');
  }

  /**
   * Returns the last issued envelope if it is fresh and its content is current, otherwise issues a
   * new one.
   * @returns undefined if another replica has issued an envelope at the same time
   */
  private async reuseOrIssue(
    recipient: ConfigRecipient,
    merged: MergedConfig,
    issue: StoredIssue | undefined,
  ): Promise<IssuedConfig | undefined> {
    // Another key has signed: the keys of this replica may be out of date.
    if (issue && issue.kid !== this.ring.getCurrent().kid) await this.ring.refreshOrLog();
    const key = this.ring.getCurrent();
    const basis = this.computeBasis(merged, key);
    const now = this.clock.now().getTime();
    if (issue && issue.basis === basis && isFresh(toIssueTimes(issue), now)) {
      const { issued_at, not_after, signature } = issue;
      const unsigned = this.buildUnsigned(merged, issued_at, not_after);
      return { envelope: { ...unsigned, etag: merged.etag, signature }, shouldSendInFull: false };
    }
    const times = getNextIssueTimes(issue && toIssueTimes(issue), now, this.settings.CONFIG_LIFETIME_SECONDS * 1000);
    const [issued_at, not_after] = [toIsoText(times.issuedAt), toIsoText(times.notAfter)];
    const envelope = await signEnvelope(this.buildUnsigned(merged, issued_at, not_after), key, toRecipient(recipient));
    const created = { basis, kid: key.kid, issued_at, not_after, signature: envelope.signature };
    if (!(await this.issues.record(recipient, created, issue?.issued_at))) return undefined;
    if (!issue) await this.issues.deleteSomeExpired(toIsoText(now));
    return { envelope, shouldSendInFull: true };
  }

  private buildUnsigned(merged: MergedConfig, issued_at: string, not_after: string): UnsignedEnvelope {
    const refresh_interval = formatDuration(this.settings.CONFIG_REFRESH_SECONDS * 1000);
    const { json: config, degraded_mode } = merged;
    const times = { issued_at, not_after, refresh_interval };
    return { schema_version: SCHEMA_VERSION, config, ...(degraded_mode && { degraded_mode }), ...times };
  }

  /** Digest of an envelope's content without its times. A different basis needs a new envelope. */
  private computeBasis({ etag }: MergedConfig, { kid }: SigningKey): string {
    const { CONFIG_LIFETIME_SECONDS, CONFIG_REFRESH_SECONDS } = this.settings;
    return computeDigest([SCHEMA_VERSION, etag, kid, CONFIG_LIFETIME_SECONDS, CONFIG_REFRESH_SECONDS]);
  }
}

const toIssueTimes = ({ issued_at, not_after }: StoredIssue): IssueTimes => ({
  issuedAt: Date.parse(issued_at),
  notAfter: Date.parse(not_after),
});

const toIsoText = (instant: number): string => new Date(instant).toISOString();

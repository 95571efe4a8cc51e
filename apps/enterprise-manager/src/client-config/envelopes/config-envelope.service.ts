import { isUnavailable } from '@gatehouse/database/unavailable';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { digestOf } from '@gatehouse/signed-config/canonical';
import { formatDuration } from '@gatehouse/signed-config/duration';
import { type ConfigEnvelope, SCHEMA_VERSION, type UnsignedEnvelope } from '@gatehouse/signed-config/envelope';
import { type SigningKey, signEnvelope } from '@gatehouse/signed-config/sign';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { SigningKeyRing } from '../signing-keys/signing-key-ring.ts';
import { DirectoryEntries } from '../../people/users/directory-entries.service.ts';
import type { ClientType } from './config-envelope.dto.ts';
import { type ConfigHolder, recipientOf } from './config-holder.ts';
import { ConfigIssuesRepository, type StoredIssue } from './config-issues.repository.ts';
import { type ConfigView, ConfigViews } from './config-views.ts';
import { isFresh, type IssueTimes, nextIssue } from './issue-times.ts';
import { LastKnownConfigs } from './last-known-configs.ts';

/** Changes that others make at the same time, one after the other; more than this is not chance. */
const MAX_TRIES = 20;

/** An envelope for a caller. */
export interface IssuedConfig {
  envelope: ConfigEnvelope;
  /**
   * No client has it yet, or it was made while the database is away: it is sent in full whatever
   * the client claims to have.
   */
  inFull: boolean;
}

/**
 * The signed configuration of a caller. What was issued last is in the database, so every replica
 * answers with the same envelope, signs it once, and issues the next one later. While the database
 * is away, this replica answers with the last configuration that it has read for the person.
 */
@Injectable()
export class ConfigEnvelopeService {
  constructor(
    private readonly issues: ConfigIssuesRepository,
    private readonly views: ConfigViews,
    private readonly lastKnown: LastKnownConfigs,
    private readonly ring: SigningKeyRing,
    private readonly entries: DirectoryEntries,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @throws HttpError unavailable when nothing can be signed, or the database is away and nothing
   * (any more) is known of the person
   */
  async envelopeFor(caller: Caller, clientType: ClientType): Promise<IssuedConfig> {
    const holder = { issuer: caller.issuer, subject: caller.subject, clientType };
    // RFC 8785 has no form for it; two such subjects could not be told apart.
    if (!holder.subject.isWellFormed())
      throw new HttpError('invalid', 'sub: the subject of the token holds half of a surrogate pair');
    this.ring.current();
    try {
      return await this.current(caller, holder);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const envelope = await this.lastKnown.envelopeOf(holder);
      if (!envelope) throw error;
      return { envelope, inFull: true };
    }
  }

  private async current(caller: Caller, holder: ConfigHolder): Promise<IssuedConfig> {
    const readAt = this.clock.now().getTime();
    const entry = await this.entries.findByCaller(caller);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { revision, group_ids, issue } = await this.issues.factsOf(holder, entry?.active ? entry.id : undefined);
      const view = await this.views.of(revision, group_ids);
      const issued = view && (await this.issueOf(holder, view, issue ?? undefined));
      if (!issued) continue;
      this.lastKnown.remember(holder, { view, envelope: issued.envelope, readAt });
      return issued;
    }
    throw new HttpError('unavailable', 'the configuration of clients is being changed; try again');
  }

  /**
   * The present issue where it still serves, else a new one.
   * @returns undefined when another replica was faster
   */
  private async issueOf(
    holder: ConfigHolder,
    view: ConfigView,
    issue: StoredIssue | undefined,
  ): Promise<IssuedConfig | undefined> {
    // Another key has signed: this replica may be the one that does not know yet.
    if (issue && issue.kid !== this.ring.current().kid) await this.ring.look();
    const key = this.ring.current();
    const basis = this.basisOf(view, key);
    const now = this.clock.now().getTime();
    if (issue && issue.basis === basis && isFresh(timesOf(issue), now)) {
      const { issued_at, not_after, signature } = issue;
      const unsigned = this.unsigned(view, issued_at, not_after);
      return { envelope: { ...unsigned, etag: view.etag, signature }, inFull: false };
    }
    const times = nextIssue(issue && timesOf(issue), now, this.settings.CONFIG_LIFETIME_SECONDS * 1000);
    const [issued_at, not_after] = [isoOf(times.issuedAt), isoOf(times.notAfter)];
    const envelope = await signEnvelope(this.unsigned(view, issued_at, not_after), key, recipientOf(holder));
    const made = { basis, kid: key.kid, issued_at, not_after, signature: envelope.signature };
    if (!(await this.issues.record(holder, made, issue?.issued_at))) return undefined;
    if (!issue) await this.issues.clearOut(isoOf(now));
    return { envelope, inFull: true };
  }

  private unsigned(view: ConfigView, issued_at: string, not_after: string): UnsignedEnvelope {
    const refresh_interval = formatDuration(this.settings.CONFIG_REFRESH_SECONDS * 1000);
    const { json: config, degraded_mode } = view;
    const times = { issued_at, not_after, refresh_interval };
    return { schema_version: SCHEMA_VERSION, config, ...(degraded_mode && { degraded_mode }), ...times };
  }

  /** Digest of all that an envelope says but its times; another one makes a new issue. */
  private basisOf({ etag }: ConfigView, { kid }: SigningKey): string {
    const { CONFIG_LIFETIME_SECONDS, CONFIG_REFRESH_SECONDS } = this.settings;
    return digestOf([SCHEMA_VERSION, etag, kid, CONFIG_LIFETIME_SECONDS, CONFIG_REFRESH_SECONDS]);
  }
}

const timesOf = ({ issued_at, not_after }: StoredIssue): IssueTimes => ({
  issuedAt: Date.parse(issued_at),
  notAfter: Date.parse(not_after),
});

const isoOf = (instant: number): string => new Date(instant).toISOString();

import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { formatDuration, parseDuration } from '@gatehouse/signed-config/duration';
import type { ConfigEnvelope, DegradedMode } from '@gatehouse/signed-config/envelope';
import { signEnvelope } from '@gatehouse/signed-config/sign';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { SigningKeyRing } from '../signing-keys/signing-key-ring.ts';
import { type ConfigRecipient, toRecipient } from './config-recipient.ts';
import type { MergedConfig } from './merged-configs.ts';
import { getDegradedEnd } from './issue-times.ts';
import { LRUCache } from 'lru-cache';

/** Number of recipients in memory. Recipients share configurations, so an entry is small. */
const MAX_RECIPIENTS = 20_000;
/** Longest refresh interval of clients during an outage. */
const DEGRADED_REFRESH_MS = 60_000;
const DEFAULT_MESSAGE = 'Gatehouse cannot reach its database. This is the last known configuration.';

/** The last configuration that this replica read for a recipient. */
interface LastKnownConfig {
  merged: MergedConfig;
  envelope: ConfigEnvelope;
  /** The time at which it was read from the database, in milliseconds since 1970. */
  readAt: number;
}

/**
 * The last known configurations, which this replica serves while the database is unavailable: for
 * each recipient the configuration that it read last, with the configured `degraded_mode` (default:
 * warn, for one lifetime), until `grace_period` after that read. `issued_at` is that of the last
 * issued envelope, so a client accepts the degraded envelope after it and the other way round. The
 * configurations are in memory only.
 */
@Injectable()
export class LastKnownConfigs {
  private readonly configs = new LRUCache<string, LastKnownConfig>({ max: MAX_RECIPIENTS });
  private readonly signed = new LRUCache<string, ConfigEnvelope>({ max: MAX_RECIPIENTS });

  constructor(
    private readonly ring: SigningKeyRing,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Stores the configuration that was just read. */
  remember(recipient: ConfigRecipient, known: LastKnownConfig): void {
    this.configs.set(getCacheKey(recipient), known);
  }

  /**
   * Returns a signed envelope with the last known configuration.
   * @returns undefined without a known configuration
   * @throws HttpError unavailable after the grace period
   */
  async getEnvelope(recipient: ConfigRecipient): Promise<ConfigEnvelope | undefined> {
    const key = getCacheKey(recipient);
    const known = this.configs.get(key);
    if (!known) return undefined;
    const degraded_mode = this.getDegradedMode(known.merged);
    const graceMs = parseDuration(degraded_mode.grace_period) ?? 0;
    const lifetimeMs = this.settings.CONFIG_LIFETIME_SECONDS * 1000;
    const end = getDegradedEnd({ readAt: known.readAt, graceMs, lifetimeMs }, this.clock.now().getTime());
    if (end === undefined)
      throw new HttpError(
        'unavailable',
        `the database has been unavailable for longer than the grace period of ${degraded_mode.grace_period}`,
      );
    const not_after = new Date(end).toISOString();
    const { issued_at, schema_version } = known.envelope;
    const signer = this.ring.getCurrent();
    const { kid } = signer;
    const signedKey = JSON.stringify([key, kid, issued_at, known.merged.etag, not_after]);
    const found = this.signed.get(signedKey);
    if (found) return found;
    const refresh_interval = formatDuration(Math.min(this.settings.CONFIG_REFRESH_SECONDS * 1000, DEGRADED_REFRESH_MS));
    const unsigned = {
      schema_version,
      config: known.merged.json,
      degraded_mode,
      issued_at,
      not_after,
      refresh_interval,
    };
    const envelope = await signEnvelope(unsigned, signer, toRecipient(recipient));
    this.signed.set(signedKey, envelope);
    return envelope;
  }

  private getDegradedMode({ config }: MergedConfig): DegradedMode {
    const grace_period = formatDuration(this.settings.CONFIG_LIFETIME_SECONDS * 1000);
    const configured = config.degraded_mode ?? { policy: 'warn', grace_period, message: DEFAULT_MESSAGE };
    return { ...configured, in_force: true };
  }
}

const getCacheKey = ({ issuer, subject, clientType }: ConfigRecipient): string =>
  JSON.stringify([issuer, subject, clientType]);

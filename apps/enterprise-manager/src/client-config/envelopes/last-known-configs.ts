import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { formatDuration, parseDuration } from '@gatehouse/signed-config/duration';
import type { ConfigEnvelope, DegradedMode } from '@gatehouse/signed-config/envelope';
import { signEnvelope } from '@gatehouse/signed-config/sign';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { SigningKeyRing } from '../signing-keys/signing-key-ring.ts';
import { type ConfigHolder, recipientOf } from './config-holder.ts';
import type { ConfigView } from './config-views.ts';
import { degradedEnd } from './issue-times.ts';
import { LRUCache } from 'lru-cache';

/**
 * People and client types that are remembered for an outage; configurations are shared, so an entry
 * is small.
 */
const MAX_KNOWN = 20_000;
/** Clients ask again this soon during an outage, if not sooner anyhow. */
const DEGRADED_REFRESH_MS = 60_000;
const USUAL_MESSAGE = 'Gatehouse cannot reach its database; this is the last configuration that it knows.';

/** The last configuration that was read for a holder. */
interface KnownConfig {
  view: ConfigView;
  envelope: ConfigEnvelope;
  /** When it was read from the database, in milliseconds since 1970. */
  readAt: number;
}

/**
 * What this replica serves while the database is away: the last configuration that it has read for
 * the person and client type, with `degraded_mode` as the administrator set it (else: warn, for one
 * lifetime), for at most its `grace_period` after that read. `issued_at` stays the one of the
 * envelope that was issued then: a degraded envelope is neither newer nor older than it, so a
 * client takes either after the other. Nothing of it outlives the process.
 */
@Injectable()
export class LastKnownConfigs {
  private readonly known = new LRUCache<string, KnownConfig>({ max: MAX_KNOWN });
  private readonly signed = new LRUCache<string, ConfigEnvelope>({ max: MAX_KNOWN });

  constructor(
    private readonly ring: SigningKeyRing,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Notes what was just read. */
  remember(holder: ConfigHolder, known: KnownConfig): void {
    this.known.set(keyOf(holder), known);
  }

  /**
   * @returns undefined when nothing is known.
   * @throws HttpError unavailable when the grace is over
   */
  async envelopeOf(holder: ConfigHolder): Promise<ConfigEnvelope | undefined> {
    const key = keyOf(holder);
    const known = this.known.get(key);
    if (!known) return undefined;
    const degraded_mode = this.degradedModeOf(known.view);
    const graceMs = parseDuration(degraded_mode.grace_period) ?? 0;
    const lifetimeMs = this.settings.CONFIG_LIFETIME_SECONDS * 1000;
    const end = degradedEnd({ readAt: known.readAt, graceMs, lifetimeMs }, this.clock.now().getTime());
    if (end === undefined)
      throw new HttpError(
        'unavailable',
        `the database has been away for longer than the grace period of ${degraded_mode.grace_period}`,
      );
    const not_after = new Date(end).toISOString();
    const { issued_at, schema_version } = known.envelope;
    const signer = this.ring.current();
    const { kid } = signer;
    const mark = JSON.stringify([key, kid, issued_at, known.view.etag, not_after]);
    const found = this.signed.get(mark);
    if (found) return found;
    const refresh_interval = formatDuration(Math.min(this.settings.CONFIG_REFRESH_SECONDS * 1000, DEGRADED_REFRESH_MS));
    const unsigned = { schema_version, config: known.view.json, degraded_mode, issued_at, not_after, refresh_interval };
    const envelope = await signEnvelope(unsigned, signer, recipientOf(holder));
    this.signed.set(mark, envelope);
    return envelope;
  }

  private degradedModeOf({ config }: ConfigView): DegradedMode {
    const grace_period = formatDuration(this.settings.CONFIG_LIFETIME_SECONDS * 1000);
    const configured = config.degraded_mode ?? { policy: 'warn', grace_period, message: USUAL_MESSAGE };
    return { ...configured, in_force: true };
  }
}

const keyOf = ({ issuer, subject, clientType }: ConfigHolder): string => JSON.stringify([issuer, subject, clientType]);

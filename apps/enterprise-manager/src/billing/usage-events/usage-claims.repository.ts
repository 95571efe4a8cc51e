import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Basis } from './usage-pricing.ts';
import { getAttemptKey } from './usage-report.ts';

/** A counted attempt, with the event that counted it. */
export interface Claim {
  interaction_id: string;
  attempt: number;
  event_id: string;
  event_time: string;
  /** Hexadecimal. */
  content_sha256: string;
}

/** The result of the first report of an attempt. */
export interface FirstReport extends Claim {
  /** Undefined if the event is no longer stored. */
  gateway_id: string | undefined;
  /** Undefined for a model without a price. */
  charged_usd: string | undefined;
  basis: Basis | undefined;
}

interface EventRow {
  id: string;
  gateway_id: string;
  charged_usd: string | null;
  basis: Basis | null;
}

const FIND = statement<Claim>(`
  SELECT k.interaction_id, k.attempt, k.event_id, k.event_time, encode(k.content_sha256, 'hex') AS content_sha256
  FROM unnest($1::text[], $2::int[]) AS a (interaction_id, attempt)
  JOIN usage_claims k ON k.interaction_id = a.interaction_id AND k.attempt = a.attempt`);
const INSERT = statement<{ claimed: number }>(`
  WITH made AS (
    INSERT INTO usage_claims (interaction_id, attempt, event_id, event_time, content_sha256)
    SELECT * FROM unnest($1::text[], $2::int[], $3::uuid[], $4::timestamptz[], $5::bytea[]) AS k (interaction_id, attempt, event_id, event_time, content_sha256)
    ORDER BY interaction_id COLLATE "C", attempt
    ON CONFLICT DO NOTHING RETURNING attempt
  ) SELECT count(*) AS claimed FROM made`);
const EVENTS = statement<EventRow>(`
  SELECT e.id, e.gateway_id, e.charged_usd, e.basis FROM unnest($1::timestamptz[], $2::uuid[], $3::text[]) AS k (event_time, id, interaction_id)
  JOIN usage_events e ON e.event_time = k.event_time AND e.id = k.id AND e.interaction_id = k.interaction_id`);

/** The counted attempts in the database. */
@Injectable()
export class UsageClaimsRepository {
  /**
   * Finds the first reports of attempts, by `getAttemptKey`.
   * @param own ids of events that do not count as first reports
   */
  async find(
    manager: EntityManager,
    attempts: readonly Pick<Claim, 'interaction_id' | 'attempt'>[],
    own: ReadonlySet<string> = new Set(),
  ): Promise<Map<string, FirstReport>> {
    if (attempts.length === 0) return new Map();
    const found = await FIND.rows(manager, [
      attempts.map(({ interaction_id }) => interaction_id),
      attempts.map(({ attempt }) => attempt),
    ]);
    const claims = found.filter(({ event_id }) => !own.has(event_id));
    if (claims.length === 0) return new Map();
    const events = await EVENTS.rows(manager, [
      claims.map(({ event_time }) => event_time),
      claims.map(({ event_id }) => event_id),
      claims.map(({ interaction_id }) => interaction_id),
    ]);
    const byId = new Map(events.map((event) => [event.id, event]));
    return new Map(
      claims.map((claim) => {
        const event = byId.get(claim.event_id);
        const { charged_usd, basis } = event ?? {};
        return [
          getAttemptKey(claim),
          {
            ...claim,
            gateway_id: event?.gateway_id,
            charged_usd: charged_usd ?? undefined,
            basis: basis ?? undefined,
          },
        ];
      }),
    );
  }

  /**
   * Claims attempts in the order of their key, and waits for concurrent claims of the same ones.
   * @returns the first reports of attempts that were claimed before, by `getAttemptKey`
   */
  async claim(manager: EntityManager, claims: readonly Claim[]): Promise<Map<string, FirstReport>> {
    if (claims.length === 0) return new Map();
    const made = await INSERT.row(manager, [
      claims.map(({ interaction_id }) => interaction_id),
      claims.map(({ attempt }) => attempt),
      claims.map(({ event_id }) => event_id),
      claims.map(({ event_time }) => event_time),
      claims.map(({ content_sha256 }) => `\\x${content_sha256}`),
    ]);
    if (made?.claimed === claims.length) return new Map();
    return this.find(manager, claims, new Set(claims.map(({ event_id }) => event_id)));
  }
}

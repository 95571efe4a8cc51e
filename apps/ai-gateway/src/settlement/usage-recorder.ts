import type { JsonObject } from '../formats/model-request.ts';
import type { WireFormat } from '../formats/operation.ts';
import type { Principal } from '../identity/principals.ts';

/** An attempt that is about to be sent to a provider. */
export interface UsageIntent {
  readonly interaction_id: string;
  readonly attempt: number;
  /** Undefined for an attempt that was forwarded without admission. */
  readonly reservation_id: string | undefined;
  /** The time of the admission, RFC 3339. */
  readonly event_time: string;
  readonly principal: Principal['wire'];
  readonly provider: WireFormat;
  readonly route: string;
  readonly requested_model: string;
  readonly model: string;
  /** The usage that is charged if the process is killed: an object in the provider's form. */
  readonly estimated_usage: JsonObject;
}

/** The end of an attempt. */
export interface UsageOutcome {
  readonly outcome: 'delivered' | 'client_disconnect' | 'upstream_error' | 'blocked_downstream';
  /** The status of the provider; 0 without a response. */
  readonly upstream_status: number;
  readonly duration_ms: number;
  readonly raw_usage: JsonObject | null;
  /** The estimate of a response without a usage object. */
  readonly estimated_usage?: JsonObject | undefined;
}

/** Records the usage of attempts so that no crash loses it, and reports it. */
export abstract class UsageRecorder {
  /**
   * Records an intent before the attempt is sent. The record survives `kill -9` and does not wait
   * for the disk.
   * @throws ModelCallError `unavailable`: the attempt must not be sent, because its usage cannot be
   * recorded
   */
  abstract begin(intent: UsageIntent): void;
  /**
   * Records the end of an attempt. It resolves after the commit: the caller then sends the last
   * bytes of the response. It may be repeated.
   * @throws ModelCallError `unavailable` if the record cannot be stored now; the attempt must not
   * look finished then. The recorder keeps the record and tries again by itself.
   */
  abstract finish(intent: UsageIntent, outcome: UsageOutcome): Promise<void>;
  /** Removes the intent of an attempt that was never sent. */
  abstract discard(intent: UsageIntent): void;
}

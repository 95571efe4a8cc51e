import type { Recipient } from './envelope.ts';
import { SignedConfigError } from './errors.ts';
import { type VerifiedConfig, verifyEnvelope } from './verify.ts';

/**
 * The user, client type and manager of a configuration. A client never uses one place's data for
 * another.
 */
export interface ConfigPlace extends Recipient {
  /** Base URL of the manager. */
  manager: string;
}

/** The stored data of the last accepted envelope. */
export interface StoredConfig {
  /** The envelope as received, byte for byte. It is verified again at every read. */
  envelope: string;
  /** Its HTTP `ETag`, sent as If-None-Match. */
  http_etag: string;
  /**
   * `issued_at` of the envelope. Older envelopes are refused, also when the stored envelope is
   * unreadable.
   */
  last_accepted: string;
  /** The key set that verified it. */
  keys: unknown;
}

/**
 * Stores accepted configurations by place. Only the user may read the file or entry (0600). A write
 * is atomic (temporary file and rename) and durable when it resolves.
 */
export interface ConfigStore {
  read(place: ConfigPlace): Promise<StoredConfig | undefined>;
  write(place: ConfigPlace, stored: StoredConfig): Promise<void>;
}

/** Fetches from the manager. Both methods reject without a successful answer. */
export interface ConfigTransport {
  /**
   * `GET /api/v1beta/config`.
   * @param stored ETag and time of the envelope that the client has, for If-None-Match and
   * If-Modified-Since
   * @returns undefined for 304
   */
  config(
    stored: { http_etag: string; issued_at: string } | undefined,
  ): Promise<{ envelope: string; http_etag: string } | undefined>;
  /** `GET /.well-known/jwks.json`, parsed. */
  keys(): Promise<unknown>;
}

/**
 * The stored configuration, verified again, for use while the manager is unavailable.
 * @returns undefined when there is none
 * @throws SignedConfigError when it must not be used, for example after its expiry
 */
export async function readStoredConfig(
  place: ConfigPlace,
  store: ConfigStore,
  now: Date,
): Promise<VerifiedConfig | undefined> {
  const stored = await store.read(place);
  return stored && verifyEnvelope(stored.envelope, stored.keys, { ...place, now, lastAccepted: stored.last_accepted });
}

/**
 * Fetches and stores the configuration. The request is conditional only with a valid stored
 * envelope, so that a client without an envelope never receives "not modified". The keys are
 * fetched with every new envelope, so that signatures of a revoked key are refused.
 * @returns the configuration to use from now on
 * @throws SignedConfigError for a refused envelope; the stored configuration does not change.
 * Errors of the transport pass through
 */
export async function refreshConfig(
  place: ConfigPlace,
  { store, transport, now }: { store: ConfigStore; transport: ConfigTransport; now: () => Date },
): Promise<VerifiedConfig> {
  const stored = await store.read(place);
  const expected = () => ({ ...place, now: now(), lastAccepted: stored?.last_accepted });
  const good = stored && (await validOrUndefined(verifyEnvelope(stored.envelope, stored.keys, expected())));
  const response = await transport.config(good && { http_etag: stored.http_etag, issued_at: good.issued_at });
  if (!response) {
    if (!good) throw new SignedConfigError('malformed', 'the manager answered 304 to a client without a configuration');
    return verifyEnvelope(stored.envelope, stored.keys, expected());
  }
  const keys = await transport.keys();
  const config = await verifyEnvelope(response.envelope, keys, expected());
  const meanwhile = await store.read(place);
  if (meanwhile && Date.parse(meanwhile.last_accepted) > Date.parse(config.issued_at)) {
    // Another process of this client has stored a newer envelope.
    const newer = { ...place, now: now(), lastAccepted: meanwhile.last_accepted };
    return verifyEnvelope(meanwhile.envelope, meanwhile.keys, newer);
  }
  await store.write(place, { ...response, last_accepted: config.issued_at, keys });
  return config;
}

async function validOrUndefined(verified: Promise<VerifiedConfig>): Promise<VerifiedConfig | undefined> {
  try {
    return await verified;
  } catch (error) {
    if (error instanceof SignedConfigError) return undefined;
    throw error;
  }
}

import type { Recipient } from './envelope.ts';
import { SignedConfigError } from './errors.ts';
import { type VerifiedConfig, verifyEnvelope } from './verify.ts';

/**
 * Whose configuration, and from where. What a client keeps belongs to one of these and is never
 * used for another.
 */
export interface ConfigPlace extends Recipient {
  /** Base URL of the manager. */
  manager: string;
}

/** What a client keeps of the last envelope that it accepted. */
export interface KeptConfig {
  /** The envelope as it came, to the byte: it is verified again whenever it is read. */
  envelope: string;
  /** The HTTP `ETag` that it came with; sent as If-None-Match. */
  http_etag: string;
  /**
   * `issued_at` of the envelope. Nothing older is accepted from now on, also when the envelope
   * itself cannot be read any more.
   */
  last_accepted: string;
  /** The key set that verified it. */
  keys: unknown;
}

/**
 * Where a client keeps what it accepted, by place. The file or entry is for the person alone
 * (0600); a write replaces the old state at once or not at all (temporary file and rename), and is
 * lasting when it resolves.
 */
export interface ConfigStore {
  read(place: ConfigPlace): Promise<KeptConfig | undefined>;
  write(place: ConfigPlace, kept: KeptConfig): Promise<void>;
}

/**
 * How a client speaks to its manager. Both reject when the manager does not answer, or answers with
 * a failure.
 */
export interface ConfigTransport {
  /**
   * `GET /api/v1beta/config`.
   * @param kept ETag and time of the envelope that the client has, for If-None-Match and
   * If-Modified-Since
   * @returns undefined for 304
   */
  config(
    kept: { http_etag: string; issued_at: string } | undefined,
  ): Promise<{ envelope: string; http_etag: string } | undefined>;
  /** `GET /.well-known/jwks.json`, parsed. */
  keys(): Promise<unknown>;
}

/**
 * The configuration that the client has, verified anew, for when the manager cannot be asked.
 * @returns undefined when there is none
 * @throws SignedConfigError when it must not be used (any more)
 */
export async function keptConfig(
  place: ConfigPlace,
  store: ConfigStore,
  now: Date,
): Promise<VerifiedConfig | undefined> {
  const kept = await store.read(place);
  return kept && verifyEnvelope(kept.envelope, kept.keys, { ...place, now, lastAccepted: kept.last_accepted });
}

/**
 * Asks the manager and keeps what it says. A conditional request is made only with an envelope that
 * is still good, so that "not modified" never leaves the client with one that is not. Keys are
 * fetched with every new envelope: a key that the manager has taken back verifies nothing any more.
 *
 * @returns the configuration to use from now on
 * @throws SignedConfigError for an envelope that is not accepted; what is kept stays as it was.
 * Whatever the transport throws
 */
export async function refreshConfig(
  place: ConfigPlace,
  { store, transport, now }: { store: ConfigStore; transport: ConfigTransport; now: () => Date },
): Promise<VerifiedConfig> {
  const kept = await store.read(place);
  const expected = () => ({ ...place, now: now(), lastAccepted: kept?.last_accepted });
  const good = kept && (await usable(verifyEnvelope(kept.envelope, kept.keys, expected())));
  const answer = await transport.config(good && { http_etag: kept.http_etag, issued_at: good.issued_at });
  if (!answer) {
    if (!good) throw new SignedConfigError('malformed', 'the manager says "not modified" to a client that has nothing');
    return verifyEnvelope(kept.envelope, kept.keys, expected());
  }
  const keys = await transport.keys();
  const config = await verifyEnvelope(answer.envelope, keys, expected());
  const meanwhile = await store.read(place);
  if (meanwhile && Date.parse(meanwhile.last_accepted) > Date.parse(config.issued_at)) {
    // Another process of this client asked at the same time and was given a newer one, which the
    // older must not replace.
    const newer = { ...place, now: now(), lastAccepted: meanwhile.last_accepted };
    return verifyEnvelope(meanwhile.envelope, meanwhile.keys, newer);
  }
  await store.write(place, { ...answer, last_accepted: config.issued_at, keys });
  return config;
}

async function usable(verified: Promise<VerifiedConfig>): Promise<VerifiedConfig | undefined> {
  try {
    return await verified;
  } catch (error) {
    if (error instanceof SignedConfigError) return undefined;
    throw error;
  }
}

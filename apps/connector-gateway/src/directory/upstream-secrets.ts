import { ClusterSecretError } from '@gatehouse/kubernetes/secret-value';
import {
  CredentialError,
  requireSendable,
  SECRET_UNAVAILABLE,
  type SecretPlace,
  type Secrets,
} from '../mcp/ports/upstream-secrets.ts';
import { type ClusterSecrets } from './cluster-secrets.ts';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import type { DirectoryClient, RevealedSecret } from './directory-client.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';

/** Cache times in milliseconds. */
export interface UpstreamSecretsOptions {
  /** Age at which a value is fetched again. */
  maxAgeMs: number;
  /** Further time for which a value is used during an outage of its source. */
  graceMs: number;
  now: () => number;
}

interface CachedSecret extends RevealedSecret {
  fetchedAt: number;
}

/** Shortest time between two fetches of one secret, since each fetch is an audit event. */
const MIN_INTERVAL_MS = 2_000;

/** The version of a Secret of a cluster, which has no announced versions: only its age counts. */
const CLUSTER_SECRET_VERSION = 0;

/**
 * Caches the secrets of connectors in memory for a limited time. They are revealed by the
 * enterprise manager or read in the cluster at the first use of a connector, and fetched again
 * after a new version in the snapshot or a refusal by the upstream.
 */
export class UpstreamSecrets implements Secrets {
  private readonly cached = new Map<string, CachedSecret>();
  private readonly failed = new Map<string, { at: number; error: Error }>();
  private readonly pending = new Map<string, Promise<CachedSecret>>();
  private wanted: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly client: Pick<DirectoryClient, 'revealSecret'>,
    private readonly cluster: Pick<ClusterSecrets, 'read'>,
    private readonly options: UpstreamSecretsOptions,
  ) {}

  /** Takes over the used secrets with their versions, and forgets all others. */
  updateVersions(connectors: readonly Connector[]): void {
    this.wanted = new Map(
      connectors.filter(({ violation }) => violation === undefined).flatMap((connector) => listSecrets(connector)),
    );
    for (const known of [this.cached, this.failed])
      for (const key of known.keys()) if (!this.wanted.has(key)) known.delete(key);
  }

  async get(place: SecretPlace): Promise<string> {
    const key = getPlaceKey(place);
    const cached = this.cached.get(key);
    if (cached !== undefined && this.isCurrent(key, cached)) return cached.value;
    try {
      return requireSendable((await this.fetchSecret(place)).value);
    } catch (error) {
      if (error instanceof CredentialError) throw error;
      const { maxAgeMs, graceMs } = this.options;
      if (cached !== undefined && isOutage(error) && this.getAge(cached.fetchedAt) < maxAgeMs + graceMs)
        return cached.value;
      if (!isOutage(error)) this.cached.delete(key);
      throw new CredentialError(SECRET_UNAVAILABLE, { cause: error });
    }
  }

  async findNewerThan(place: SecretPlace, refused: string): Promise<string | undefined> {
    const cached = this.cached.get(getPlaceKey(place));
    if (cached !== undefined && cached.value !== refused) return cached.value;
    if (cached !== undefined && this.getAge(cached.fetchedAt) < MIN_INTERVAL_MS) return undefined;
    const fresh = await this.fetchSecret(place).catch(() => undefined);
    return fresh === undefined || fresh.value === refused ? undefined : requireSendable(fresh.value);
  }

  /** Forgets all secrets. */
  clear(): void {
    this.updateVersions([]);
  }

  private isCurrent(key: string, cached: CachedSecret): boolean {
    const age = this.getAge(cached.fetchedAt);
    return (
      age < this.options.maxAgeMs &&
      (cached.version >= (this.wanted.get(key) ?? CLUSTER_SECRET_VERSION) || age < MIN_INTERVAL_MS)
    );
  }

  /** A moment in the future is from before the clock was set back, so its age is unknown. */
  private getAge(moment: number): number {
    const passed = this.options.now() - moment;
    return passed < 0 ? Infinity : passed;
  }

  /** Fetches a secret. Concurrent fetches share one request, and a failure is kept for a while. */
  private fetchSecret(place: SecretPlace): Promise<CachedSecret> {
    const key = getPlaceKey(place);
    const running = this.pending.get(key);
    if (running !== undefined) return running;
    const failure = this.failed.get(key);
    if (failure !== undefined && this.getAge(failure.at) < MIN_INTERVAL_MS) return Promise.reject(failure.error);
    const request = this.reveal(place)
      .then(
        (revealed) => {
          const fresh = { ...revealed, fetchedAt: this.options.now() };
          this.failed.delete(key);
          if (this.wanted.has(key)) this.cached.set(key, fresh);
          return fresh;
        },
        (cause: unknown) => {
          const error = cause instanceof Error ? cause : new Error('the secret could not be asked for', { cause });
          this.failed.set(key, { at: this.options.now(), error });
          throw error;
        },
      )
      .finally(() => this.pending.delete(key));
    this.pending.set(key, request);
    return request;
  }

  private async reveal(place: SecretPlace): Promise<RevealedSecret> {
    if (place.kind === 'managed') return this.client.revealSecret(place.id);
    return { value: await this.cluster.read(place), version: CLUSTER_SECRET_VERSION };
  }
}

/** The secrets of a connector and its identity provider: the key of each place, its version. */
const listSecrets = ({ auth, identity_provider: provider }: Connector): (readonly [string, number])[] =>
  [auth, provider].flatMap((holder) => [
    ...Object.values(holder?.secrets ?? {}).map(
      ({ id, version }) => [getPlaceKey({ kind: 'managed', id }), version] as const,
    ),
    ...Object.values(holder?.kubernetes_secrets ?? {}).map(
      (place) => [getPlaceKey({ kind: 'kubernetes', ...place }), CLUSTER_SECRET_VERSION] as const,
    ),
  ]);

const getPlaceKey = (place: SecretPlace): string =>
  JSON.stringify(place.kind === 'managed' ? [place.id] : [place.namespace, place.name, place.key]);

/** Whether the enterprise manager or the cluster gave no definite response. */
function isOutage(error: unknown): boolean {
  if (error instanceof ClusterSecretError) return error.isOutage;
  return !(error instanceof ManagerError) || error.isOutage;
}

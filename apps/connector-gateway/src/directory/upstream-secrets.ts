import { CredentialProblem, credentialOf, type SecretPlace, type Secrets } from '../mcp/ports/upstream-secrets.ts';
import { type ClusterSecrets } from './cluster-secrets.ts';
import { ClusterSecretError } from '../mcp/ports/upstream-secrets.ts';
import { type DirectoryClient, DirectoryError, type RevealedSecret } from './directory-client.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';

/** How long secrets are kept, in milliseconds. */
export interface UpstreamSecretsOptions {
  /** After this a value is asked for again. */
  maxAgeMs: number;
  /** How much longer it is used while the enterprise manager, or the cluster, cannot be reached. */
  graceMs: number;
  now: () => number;
}

interface Held extends RevealedSecret {
  askedAt: number;
}

/**
 * Between two questions for one secret, whatever upstreams and callers do: each answer is a line in
 * an audit trail.
 */
const BETWEEN_MS = 2_000;

/**
 * The version of a Secret of a cluster, which nobody announces: its age alone says when it is read
 * again.
 */
const UNANNOUNCED = 0;

/**
 * The secrets of connectors, asked from the enterprise manager or read in the cluster when a
 * connector is first used and kept in memory alone, for a bounded time. A new version in the
 * snapshot, and a refusal by the upstream, are reasons to ask again.
 */
export class UpstreamSecrets implements Secrets {
  private readonly held = new Map<string, Held>();
  private readonly failed = new Map<string, { at: number; error: Error }>();
  private readonly asking = new Map<string, Promise<Held>>();
  private wanted: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly client: Pick<DirectoryClient, 'reveal'>,
    private readonly cluster: Pick<ClusterSecrets, 'read'>,
    private readonly options: UpstreamSecretsOptions,
  ) {}

  /** Takes over which secrets are used, in which versions; every other one is forgotten. */
  learn(connectors: readonly Connector[]): void {
    this.wanted = new Map(
      connectors.flatMap((connector) => {
        const credential = credentialOf(connector);
        if (credential === undefined || credential === 'none') return [];
        const { secret: place } = credential;
        const version = Object.values(connector.auth?.secrets ?? {}).find(
          ({ id }) => place.kind === 'managed' && id === place.id,
        )?.version;
        return [[keyOf(place), version ?? UNANNOUNCED] as const];
      }),
    );
    for (const known of [this.held, this.failed])
      for (const key of known.keys()) if (!this.wanted.has(key)) known.delete(key);
  }

  async get(place: SecretPlace): Promise<string> {
    const key = keyOf(place);
    const held = this.held.get(key);
    if (held !== undefined && this.isCurrent(key, held)) return held.value;
    try {
      return sendable(await this.ask(place)).value;
    } catch (error) {
      if (error instanceof CredentialProblem) throw error;
      const { maxAgeMs, graceMs } = this.options;
      if (held !== undefined && isOutage(error) && this.since(held.askedAt) < maxAgeMs + graceMs) return held.value;
      if (!isOutage(error)) this.held.delete(key);
      throw new CredentialProblem('cannot be called, because its secret cannot be had at the moment', { cause: error });
    }
  }

  async insteadOf(place: SecretPlace, refused: string): Promise<string | undefined> {
    const held = this.held.get(keyOf(place));
    if (held !== undefined && held.value !== refused) return held.value;
    if (held !== undefined && this.since(held.askedAt) < BETWEEN_MS) return undefined;
    const fresh = await this.ask(place).catch(() => undefined);
    return fresh === undefined || fresh.value === refused ? undefined : sendable(fresh).value;
  }

  /** Forgets everything. */
  clear(): void {
    this.learn([]);
  }

  private isCurrent(key: string, held: Held): boolean {
    const age = this.since(held.askedAt);
    return age < this.options.maxAgeMs && (held.version >= (this.wanted.get(key) ?? UNANNOUNCED) || age < BETWEEN_MS);
  }

  /**
   * A moment that is still to come is from before the clock was set back: nobody knows how long ago
   * that is.
   */
  private since(moment: number): number {
    const passed = this.options.now() - moment;
    return passed < 0 ? Infinity : passed;
  }

  /** One question at a time for each secret; a failure is the answer for a while. */
  private ask(place: SecretPlace): Promise<Held> {
    const key = keyOf(place);
    const running = this.asking.get(key);
    if (running !== undefined) return running;
    const failure = this.failed.get(key);
    if (failure !== undefined && this.since(failure.at) < BETWEEN_MS) return Promise.reject(failure.error);
    const asked = this.reveal(place)
      .then(
        (revealed) => {
          const fresh = { ...revealed, askedAt: this.options.now() };
          this.failed.delete(key);
          if (this.wanted.has(key)) this.held.set(key, fresh);
          return fresh;
        },
        (cause: unknown) => {
          const error = cause instanceof Error ? cause : new Error('the secret could not be asked for', { cause });
          this.failed.set(key, { at: this.options.now(), error });
          throw error;
        },
      )
      .finally(() => this.asking.delete(key));
    this.asking.set(key, asked);
    return asked;
  }

  private async reveal(place: SecretPlace): Promise<RevealedSecret> {
    if (place.kind === 'managed') return this.client.reveal(place.id);
    return { value: await this.cluster.read(place), version: UNANNOUNCED };
  }
}

const keyOf = (place: SecretPlace): string =>
  JSON.stringify(place.kind === 'managed' ? [place.id] : [place.namespace, place.name, place.key]);

/** A header takes printable ASCII only; whatever else is tried there, the error would repeat it. */
function sendable(held: Held): Held {
  if (!/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(held.value))
    throw new CredentialProblem('cannot be called, because its secret has characters that a header cannot carry');
  return held;
}

/** The enterprise manager, or the cluster, said neither yes nor no. */
function isOutage(error: unknown): boolean {
  if (error instanceof ClusterSecretError) return error.away;
  return (
    !(error instanceof DirectoryError) || error.status === undefined || error.status >= 500 || error.status === 429
  );
}

import { CredentialProblem, credentialOf, type Secrets } from '../mcp/credentials.ts';
import { type DirectoryClient, DirectoryError, type RevealedSecret } from './directory-client.ts';
import type { Connector } from './snapshot.ts';

/** How long secrets are kept, in milliseconds. */
export interface UpstreamSecretsOptions {
  /** After this a value is asked for again. */
  maxAgeMs: number;
  /** How much longer it is used while the enterprise manager cannot be reached. */
  graceMs: number;
  now: () => number;
}

interface Held extends RevealedSecret {
  askedAt: number;
}

/** Between two questions for one secret, whatever upstreams and callers do: each answer is a line in the enterprise manager's audit trail. */
const BETWEEN_MS = 2_000;

/**
 * The secrets of connectors, asked from the enterprise manager when a connector is first used and kept in memory alone, for a bounded time. A new version in
 * the snapshot, and a refusal by the upstream, are reasons to ask again.
 */
export class UpstreamSecrets implements Secrets {
  private readonly held = new Map<string, Held>();
  private readonly failed = new Map<string, { at: number; error: Error }>();
  private readonly asking = new Map<string, Promise<Held>>();
  private wanted: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly client: Pick<DirectoryClient, 'reveal'>,
    private readonly options: UpstreamSecretsOptions,
  ) {}

  /** Takes over which secrets are used, in which versions; every other one is forgotten. */
  learn(connectors: readonly Connector[]): void {
    this.wanted = new Map(
      connectors.flatMap((connector) => {
        const credential = credentialOf(connector);
        if (credential === undefined || credential === 'none') return [];
        const version = Object.values(connector.auth?.secrets ?? {}).find(
          ({ id }) => id === credential.secretId,
        )?.version;
        return [[credential.secretId, version ?? 0] as const];
      }),
    );
    for (const known of [this.held, this.failed])
      for (const id of known.keys()) if (!this.wanted.has(id)) known.delete(id);
  }

  async get(id: string): Promise<string> {
    const held = this.held.get(id);
    if (held !== undefined && this.isCurrent(id, held)) return held.value;
    try {
      return sendable(await this.ask(id)).value;
    } catch (error) {
      if (error instanceof CredentialProblem) throw error;
      const { maxAgeMs, graceMs } = this.options;
      if (held !== undefined && isOutage(error) && this.since(held.askedAt) < maxAgeMs + graceMs) return held.value;
      if (!isOutage(error)) this.held.delete(id);
      throw new CredentialProblem('cannot be called, because its secret cannot be had at the moment', { cause: error });
    }
  }

  async insteadOf(id: string, refused: string): Promise<string | undefined> {
    const held = this.held.get(id);
    if (held !== undefined && held.value !== refused) return held.value;
    if (held !== undefined && this.since(held.askedAt) < BETWEEN_MS) return undefined;
    const fresh = await this.ask(id).catch(() => undefined);
    return fresh === undefined || fresh.value === refused ? undefined : sendable(fresh).value;
  }

  /** Forgets everything. */
  clear(): void {
    this.learn([]);
  }

  private isCurrent(id: string, held: Held): boolean {
    const age = this.since(held.askedAt);
    return age < this.options.maxAgeMs && (held.version >= (this.wanted.get(id) ?? 0) || age < BETWEEN_MS);
  }

  /** A moment that is still to come is from before the clock was set back: nobody knows how long ago that is. */
  private since(moment: number): number {
    const passed = this.options.now() - moment;
    return passed < 0 ? Infinity : passed;
  }

  /** One question at a time for each secret; a failure is the answer for a while. */
  private ask(id: string): Promise<Held> {
    const running = this.asking.get(id);
    if (running !== undefined) return running;
    const failure = this.failed.get(id);
    if (failure !== undefined && this.since(failure.at) < BETWEEN_MS) return Promise.reject(failure.error);
    const asked = this.client
      .reveal(id)
      .then(
        (revealed) => {
          const fresh = { ...revealed, askedAt: this.options.now() };
          this.failed.delete(id);
          if (this.wanted.has(id)) this.held.set(id, fresh);
          return fresh;
        },
        (cause: unknown) => {
          const error = cause instanceof Error ? cause : new Error('the secret could not be asked for', { cause });
          this.failed.set(id, { at: this.options.now(), error });
          throw error;
        },
      )
      .finally(() => this.asking.delete(id));
    this.asking.set(id, asked);
    return asked;
  }
}

/** A header takes printable ASCII only; whatever else is tried there, the error would repeat it. */
function sendable(held: Held): Held {
  if (!/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(held.value))
    throw new CredentialProblem('cannot be called, because its secret has characters that a header cannot carry');
  return held;
}

/** The enterprise manager said neither yes nor no. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof DirectoryError) || error.status === undefined || error.status >= 500 || error.status === 429;

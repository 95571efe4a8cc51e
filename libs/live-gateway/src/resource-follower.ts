import type { Resource } from '@gatehouse/ai-resources/resource';
import type { Log } from '@gatehouse/service-kit/log';
import { NotReadyError, type Readiness } from '@gatehouse/service-kit/readiness';
import type { CachedResources } from './cached-resources.ts';
import type { LiveGateway } from './live-gateway.ts';

/** The resources of one kind that a service follows. */
export interface FollowedResources extends Pick<
  CachedResources<Resource>,
  'explainMissing' | 'listProblems' | 'onUpdate'
> {
  readonly cache: { run(signal: AbortSignal): Promise<void> };
}

/** The parts of a service that follows resources. */
export interface FollowerParts {
  readonly gateway: LiveGateway;
  readonly gateways: FollowedResources;
  /** Further kinds by the names of their readiness checks. */
  readonly others?: Readonly<Record<string, FollowedResources>>;
  /** The stores of all of them, which are closed at the end. */
  readonly stores: { close(): Promise<void> };
  readonly readiness: Readiness;
  readonly log: Log;
}

/**
 * Follows the resources of the namespace: fills the caches, reports readiness and logs problems.
 * Nest calls its functions as those of a provider.
 */
export class ResourceFollower {
  private readonly stopped = new AbortController();
  private readonly all: readonly FollowedResources[];
  private following: Promise<unknown> | undefined;
  private loggedProblems: ReadonlySet<string> = new Set();

  constructor(private readonly parts: FollowerParts) {
    this.all = [parts.gateways, ...Object.values(parts.others ?? {})];
  }

  /** Prepares to follow. */
  onModuleInit(): void {
    const { readiness, gateway, others = {} } = this.parts;
    readiness.register('ai-gateway', () => requireNone(gateway.explainMissing()));
    for (const [name, resources] of Object.entries(others))
      readiness.register(name, () => requireNone(resources.explainMissing()));
    readiness.registerWarning('resources', () => this.listProblems().join('; ') || undefined);
    for (const resources of this.all) resources.onUpdate(() => this.logProblems());
  }

  /** Begins to follow. By now, all parts of the service receive changes. */
  onApplicationBootstrap(): void {
    this.following = this.follow();
  }

  /** Ends the watches and closes the stores. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.following;
  }

  private async follow(): Promise<void> {
    await Promise.all(this.all.map(({ cache }) => cache.run(this.stopped.signal)));
    await this.parts.stores.close();
  }

  private listProblems(): string[] {
    return [...new Set(this.all.flatMap((resources) => resources.listProblems()))];
  }

  /** Logs each problem once when it begins, and once when it ends. */
  private logProblems(): void {
    const { log } = this.parts;
    const problems = new Set(this.listProblems());
    for (const problem of problems)
      if (!this.loggedProblems.has(problem)) log.warn({ problem }, 'a resource cannot be read');
    for (const problem of this.loggedProblems)
      if (!problems.has(problem)) log.info({ problem }, 'a resource can be read again');
    this.loggedProblems = problems;
  }
}

/** Rejects with a reason that `/readyz` shows, if there is one. */
const requireNone = (reason: string | undefined): Promise<void> =>
  reason === undefined ? Promise.resolve() : Promise.reject(new NotReadyError(reason));

import { Log } from '@gatehouse/service-kit/log';
import { NotReadyError, Readiness } from '@gatehouse/service-kit/readiness';
import { Injectable } from '@nestjs/common';
import { GatewayAuthentication } from './gateway-authentication.ts';
import { KnownResources } from './known-resources.ts';
import { Resources } from './resources.ts';

/**
 * Follows the resources of the namespace: fills the caches, keeps the authentication as the
 * AIGateway of this instance says, reports readiness and logs problems.
 */
@Injectable()
export class ResourceFollower {
  private readonly stopped = new AbortController();
  private following: Promise<unknown> | undefined;
  private loggedProblems: ReadonlySet<string> = new Set();

  constructor(
    private readonly resources: Resources,
    private readonly known: KnownResources,
    private readonly authentication: GatewayAuthentication,
    private readonly readiness: Readiness,
    private readonly log: Log,
  ) {}

  /** Nest: prepares to follow. */
  onModuleInit(): void {
    const { readiness, known } = this;
    readiness.register('ai-gateway', () => requireNone(known.explainMissingGateway()));
    readiness.register('ai-policies', () => requireNone(known.explainMissingPolicies()));
    readiness.registerWarning('resources', () => known.listProblems().join('; ') || undefined);
    const { gateways, policies } = this.resources;
    gateways.onUpdate(() => this.updateAuthentication());
    for (const resources of [gateways, policies]) resources.onUpdate(() => this.logProblems());
  }

  /** Nest: begins to follow. By now, all parts of the service receive changes. */
  onApplicationBootstrap(): void {
    this.following = this.resources.follow(this.stopped.signal);
  }

  /** Nest: ends the watches and closes the stores. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.following;
  }

  private updateAuthentication(): void {
    const missing = this.known.explainMissingGateway();
    const { gateway } = this.known;
    if (missing === undefined && gateway !== undefined) this.authentication.follow(gateway);
    else this.authentication.refuse(missing ?? 'the AIGateway does not exist');
  }

  /** Logs each problem once when it begins, and once when it ends. */
  private logProblems(): void {
    const problems = new Set(this.known.listProblems());
    for (const problem of problems)
      if (!this.loggedProblems.has(problem)) this.log.warn({ problem }, 'a resource cannot be read');
    for (const problem of this.loggedProblems)
      if (!problems.has(problem)) this.log.info({ problem }, 'a resource can be read again');
    this.loggedProblems = problems;
  }
}

/** Rejects with a reason that `/readyz` shows, if there is one. */
const requireNone = (reason: string | undefined): Promise<void> =>
  reason === undefined ? Promise.resolve() : Promise.reject(new NotReadyError(reason));

import { ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { Log } from '@gatehouse/service-kit/log';
import { Pacer } from '@gatehouse/service-kit/pacer';
import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Resources } from '../resources/resources.ts';
import { isOutdated, PolicyStatuses } from './policy-statuses.ts';

/** Status writes that run at a time. */
const CONCURRENCY = 16;
/** Changes wait this long for the writer of a policy, who also writes its status. */
const PAUSE_MS = 200;
const BACKOFF = { firstMs: 250, longestMs: 30_000 };

/**
 * Keeps the status of policies up to date after changes from outside: of a policy, or of the
 * gateway that it names. Every replica does this. It writes only where the status differs, for the
 * version that it examined; after a conflict the event of the other write decides.
 */
@Injectable()
export class StatusReconciler {
  /** Names of the policies to examine. */
  private waiting = new Set<string>();
  private readonly stopped = new AbortController();
  private working: Promise<void> | undefined;

  constructor(
    private readonly resources: Resources,
    private readonly statuses: PolicyStatuses,
    private readonly log: Log,
  ) {}

  /** Nest: begins to examine changes. */
  onModuleInit(): void {
    const { gateways, policies } = this.resources;
    policies.cache.onChange(({ name, current }) => {
      if (current !== undefined) this.examine([name]);
    });
    gateways.cache.onChange(({ name }) => this.examine(this.listPolicies(name)));
    let isFollowing = false;
    gateways.onUpdate(() => {
      // A policy is examined only while the gateways are known.
      if (!isFollowing && this.areGatewaysKnown()) this.examine(this.listPolicies());
      isFollowing = this.areGatewaysKnown();
    });
  }

  /** Nest: ends the examination, before the stores are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.working;
  }

  /** Names of the policies of a gateway; default: of all. */
  private listPolicies(gateway?: string): string[] {
    const policies = this.resources.policies.cache.values();
    return policies
      .filter(({ spec }) => gateway === undefined || spec.gatewayRef.name === gateway)
      .map(({ metadata }) => metadata.name);
  }

  /** Whether the gateways are known: otherwise a policy would seem to have no gateway. */
  private areGatewaysKnown(): boolean {
    const { isSynced, state } = this.resources.gateways.cache;
    return isSynced && state?.status === 'following';
  }

  private examine(names: readonly string[]): void {
    if (this.stopped.signal.aborted) return;
    for (const name of names) this.waiting.add(name);
    if (this.waiting.size === 0) return;
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      // A change can arrive between the last look at the names and this turn.
      this.examine([]);
    });
  }

  /** Examines waiting policies until none is left. It does not reject. */
  private async work(): Promise<void> {
    const { signal } = this.stopped;
    while (this.waiting.size > 0 && !signal.aborted) {
      await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      // Replicas examine in different orders, so that they rarely write the same status.
      const names = shuffle(this.waiting);
      this.waiting = new Set();
      await Promise.all(Array.from({ length: CONCURRENCY }, () => this.reconcileAll(names)));
    }
  }

  private async reconcileAll(names: string[]): Promise<void> {
    const pacer = new Pacer();
    for (let name = names.pop(); name !== undefined && !this.stopped.signal.aborted; name = names.pop()) {
      await this.reconcile(name);
      if (pacer.isDue) await pacer.pause();
    }
  }

  /** Repeats the examination of one policy until it succeeds. It does not reject. */
  private async reconcile(name: string): Promise<void> {
    const { signal } = this.stopped;
    const onFailure = (error: unknown, failures: number) => {
      if (failures === 1) this.log.warn({ err: error, policy: name }, 'the status of a policy cannot be written yet');
    };
    try {
      await retry(() => this.writeDifference(name), {
        backoff: new Backoff(BACKOFF),
        shouldRetry: isTransient,
        signal,
        onFailure,
      });
    } catch (error) {
      if (!signal.aborted && !isOutdated(error))
        this.log.error({ err: error, policy: name }, 'the status of a policy cannot be written');
    }
  }

  private async writeDifference(name: string): Promise<void> {
    if (!this.areGatewaysKnown()) return;
    const policy = this.resources.policies.cache.get(name);
    if (policy === undefined || policy.metadata.deletionTimestamp !== undefined) return;
    const status = this.statuses.findDifference(policy);
    if (status !== undefined) await this.statuses.write(policy, status, this.stopped.signal);
  }
}

/** Returns the names in a random order. */
const shuffle = (names: Iterable<string>): string[] =>
  Array.from(names, (name) => ({ name, rank: Math.random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name);

/** Whether a failure of a store can end by itself. */
const isTransient = (error: unknown): boolean =>
  error instanceof ResourceStoreError && (error.code === 'unavailable' || error.code === 'rate_limited');

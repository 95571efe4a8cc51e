import type { ResourceKind } from '@gatehouse/ai-resources/resource';
import type { WatchState } from '@gatehouse/ai-resources/resource-store';
import type { Log } from '@gatehouse/service-kit/log';

/**
 * Logs the changes of the watch of one kind of resources. The failure that ended the watch is only
 * in this log: callers and `/readyz` read that the store does not answer.
 */
export class WatchLog {
  private last: WatchState['status'] = 'following';

  constructor(
    private readonly kind: ResourceKind,
    private readonly log: Log,
  ) {}

  /** Logs a state when its status is not that of the state before. */
  report({ status, cause }: WatchState): void {
    if (status === this.last) return;
    this.last = status;
    const { kind } = this;
    if (status === 'following') this.log.info({ kind }, 'the resources are followed again');
    else this.log.warn({ kind, status, err: cause }, 'the resources cannot be followed');
  }
}

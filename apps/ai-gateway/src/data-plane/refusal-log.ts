import type { Log } from '@gatehouse/service-kit/log';
import { CallObserver, type ObservedRefusal } from '../exchange/call-observer.ts';

/** Logs the reasons of refusals, which callers do not see. */
export class RefusalLog extends CallObserver {
  constructor(private readonly log: Log) {
    super();
  }

  recordAttempt(): void {
    // The request has a log line of its own.
  }

  recordRefusal({ error: { failure, reason }, principal }: ObservedRefusal): void {
    this.log.info({ failure, reason, principal: principal?.id }, 'a model call was refused');
  }
}

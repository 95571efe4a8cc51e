import { Clock } from '@gatehouse/service-kit/clock';

/** A clock that tests can set forward. */
export class ClockAhead extends Clock {
  constructor(private readonly aheadMs: () => number) {
    super();
  }

  override now(): Date {
    return new Date(Date.now() + this.aheadMs());
  }
}

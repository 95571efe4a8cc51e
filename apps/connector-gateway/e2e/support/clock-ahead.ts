import { Clock } from '@gatehouse/service-kit/clock';

/** A clock that can be put forward. */
export class ClockAhead extends Clock {
  constructor(private readonly aheadMs: () => number) {
    super();
  }

  override now(): Date {
    return new Date(Date.now() + this.aheadMs());
  }
}

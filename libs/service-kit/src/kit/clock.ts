import { Injectable } from '@nestjs/common';

/**
 * The time of day. Everything that reads it takes this, so that a test can stand anywhere on the
 * calendar.
 */
@Injectable()
export class Clock {
  /** Now, in UTC. */
  now(): Date {
    return new Date();
  }
}

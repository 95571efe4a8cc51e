import { Injectable } from '@nestjs/common';

/**
 * The current time. Code injects this class, so that a test can set any time.
 */
@Injectable()
export class Clock {
  /** Now, in UTC. */
  now(): Date {
    return new Date();
  }
}

import { describe, it } from '@jest/globals';

/**
 * A resource that a suite needs from the machine, or one sentence with the reason for its absence.
 */
export type Fixture<T> = { available: true; value: T } | { available: false; reason: string };

/** An available fixture. */
export const available = <T>(value: T): Fixture<T> => ({ available: true, value });

/**
 * A fixture that this machine cannot provide.
 * @param reason one sentence that also says what to install or set
 */
export const unavailable = (reason: string): Fixture<never> => ({ available: false, reason });

/**
 * Registers a suite that needs a fixture: `describeWhen(await dockerEngine(), 'images', (engine) =>
 * { it(…) })`. Without the fixture the suite is skipped, with the reason as the name of its only
 * test. With GATEHOUSE_REQUIRE_ALL=true it fails instead, so that a complete machine never skips a
 * suite unnoticed.
 */
export function describeWhen<T>(fixture: Fixture<T>, suite: string, body: (value: T) => void): void {
  if (fixture.available) {
    describe(suite, () => body(fixture.value));
    return;
  }
  const { reason } = fixture;
  if (process.env['GATEHOUSE_REQUIRE_ALL'] === 'true') {
    describe(suite, () => {
      it('runs on this machine', () => {
        throw new Error(`${suite} cannot run: ${reason}`);
      });
    });
    return;
  }
  describe.skip(suite, () => {
    it(reason, () => undefined);
  });
}

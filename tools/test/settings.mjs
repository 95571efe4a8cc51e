import { randomInt } from 'node:crypto';

/** Reads a positive number from the environment. @throws {Error} with the name of the variable */
function positive(name, fallback) {
  const value = Number(process.env[name] ?? fallback);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0, not ${process.env[name]}.`);
  return value;
}

/**
 * Reads the settings of a test run from the environment. README.md lists the variables.
 * - `effort`: factor of the number of runs of property, kill and differential tests (default 1)
 * - `seed` of all property tests (default: random)
 * - `minutes`: time limit for the suites of one project (default 25 × effort)
 * - `deadline`: time at which `npm test` stops all suites, in milliseconds since 1970 (default 70
 *   minutes × effort after its start)
 */
export function testSettings() {
  const effort = positive('GATEHOUSE_TEST_EFFORT', 1);
  const factor = Math.max(1, effort);
  return {
    effort,
    seed: positive('GATEHOUSE_TEST_SEED', randomInt(1, 2 ** 31)),
    minutes: positive('GATEHOUSE_TEST_MINUTES', 25 * factor),
    deadline: positive('GATEHOUSE_TEST_DEADLINE', Date.now() + 70 * 60_000 * factor),
  };
}

/** Returns the settings as environment variables of child processes. */
export const testEnvironment = ({ effort, seed, minutes, deadline }) => ({
  GATEHOUSE_TEST_EFFORT: String(effort),
  GATEHOUSE_TEST_SEED: String(seed),
  GATEHOUSE_TEST_MINUTES: String(minutes),
  GATEHOUSE_TEST_DEADLINE: String(deadline),
});

import { randomInt } from 'node:crypto';

/** A positive number of the environment. @throws {Error} that names the variable */
function positive(name, fallback) {
  const value = Number(process.env[name] ?? fallback);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0, not ${process.env[name]}.`);
  return value;
}

/**
 * What the environment says about a test run. The names are in the README of the repository.
 * - `effort`: factor on the number of runs of property, kill and differential tests (1)
 * - `seed`: of all property tests (a new one for each run)
 * - `minutes`: longest time for the suites of one project; what is left then fails (25 × effort)
 * - `deadline`: when `npm test` ends whatever still runs, in milliseconds since 1970 (60 minutes
 *   × effort after its start)
 */
export function testSettings() {
  const effort = positive('GATEHOUSE_TEST_EFFORT', 1);
  const factor = Math.max(1, effort);
  return {
    effort,
    seed: positive('GATEHOUSE_TEST_SEED', randomInt(1, 2 ** 31)),
    minutes: positive('GATEHOUSE_TEST_MINUTES', 25 * factor),
    deadline: positive('GATEHOUSE_TEST_DEADLINE', Date.now() + 60 * 60_000 * factor),
  };
}

/** The same settings as environment variables, for the processes below. */
export const testEnvironment = ({ effort, seed, minutes, deadline }) => ({
  GATEHOUSE_TEST_EFFORT: String(effort),
  GATEHOUSE_TEST_SEED: String(seed),
  GATEHOUSE_TEST_MINUTES: String(minutes),
  GATEHOUSE_TEST_DEADLINE: String(deadline),
});

import { median, quantile } from '../statistics.mjs';
import { percent, printTable } from '../table.mjs';

const round = (figure) => figure.toFixed(0);

/**
 * Prints the medians of all rounds by target.
 * @param pipe the name of the target whose rate is the measure; undefined without one
 */
export function printLoads(title, results, pipe) {
  console.log(`\n### ${title}\n`);
  const base = results.get(pipe);
  const rows = [...results].map(([name, rounds]) => {
    const middle = (field) => median(rounds.map((one) => one[field]));
    return [
      name,
      round(middle('rate')),
      base === undefined ? '-' : median(rounds.map(({ rate }, at) => rate / base[at].rate)).toFixed(3),
      middle('p50').toFixed(2),
      middle('p99').toFixed(2),
      ...['micros', 'postgresMicros', 'managerMicros', 'rss'].map((field) => round(middle(field))),
      percent(middle('others')),
      percent(middle('core1')),
      countErrors(rounds),
    ];
  });
  const micros = ['CPU µs a request', 'Postgres µs', 'manager µs'];
  const shares = ['others on core 0', 'core 1 busy'];
  printTable(['Target', 'req/s', 'of the pipe', 'p50 ms', 'p99 ms', ...micros, 'RSS MB', ...shares, 'errors'], rows);
}

/**
 * Prints the medians of the time of `initialize`. CPU time is that of a session, which also has
 * `notifications/initialized` and DELETE.
 */
export function printInitialize(title, results) {
  console.log(`\n### ${title}\n`);
  const rows = [...results].map(([name, rounds]) => {
    const middle = (field) => median(rounds.map((one) => one[field]));
    return [
      name,
      middle('p50').toFixed(2),
      middle('p99').toFixed(2),
      ...['micros', 'postgresMicros', 'managerMicros'].map((field) => round(middle(field))),
      percent(middle('others')),
      countErrors(rounds),
    ];
  });
  const micros = ['CPU µs a session', 'Postgres µs', 'manager µs'];
  printTable(['Target', 'p50 ms', 'p99 ms', ...micros, 'others on core 0', 'errors'], rows);
}

/** Prints the times of cold lists in milliseconds. */
export function printColdLists(title, times) {
  console.log(`\n### ${title}\n`);
  const figures = [0, 0.5, 0.95].map((share) => quantile(times, share).toFixed(1));
  printTable(['Target', 'lists', 'fastest ms', 'p50 ms', 'p95 ms'], [['connector gateway', times.length, ...figures]]);
}

/** Prints the memory of open sessions. */
export function printSessions(count, { before, loaded, after, seconds, ...result }) {
  console.log(`\n### ${count} open sessions\n`);
  printTable(
    ['Target', 'RSS MB before', 'RSS MB under load', 'RSS MB 30 s later', 'sessions/s', 'errors'],
    [['connector gateway', before, loaded, after, round(count / seconds), countErrors([result])]],
  );
}

/** Adds up wrong answers, and shows the first one and fails the run if there are any. */
function countErrors(rounds) {
  const errors = rounds.reduce((total, one) => total + one.errors, 0);
  if (errors > 0) {
    console.error(`a wrong answer: ${rounds.find(({ firstError }) => firstError).firstError}`);
    process.exitCode = 1;
  }
  return errors;
}

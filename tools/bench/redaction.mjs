// Usage: node tools/bench/redaction.mjs [rounds] (after `npm run build`)
// Method: docs/benchmarks.md#redaction-patterns.
import { Redactor } from '../../libs/content-controls/dist/redaction-patterns.js';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

const rounds = Number(process.argv[2] ?? 3);
const LENGTH = 4 * 1024 * 1024;
const PROSE = 'The quick brown fox jumps over 12 lazy dogs; mail to the desk, see ticket 4711. Ünïcödé 😀 text. ';
const SECRETS = 'key AKIAIOSFODNN7EXAMPLE, mail bob@example.org, Bearer abcdefghijklmnopqrstuvwxyz. ';
/** Patterns as administrators write them; 64 are these and variants of them. */
const KINDS = [
  'AKIA[0-9A-Z]{16}',
  '\\b\\d{3}-\\d{2}-\\d{4}\\b',
  '(?i)bearer\\s+[a-z0-9._-]{20,}',
  '[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}',
  'ghp_[A-Za-z0-9]{36}',
  '-----BEGIN [A-Z ]*PRIVATE KEY-----',
  '(?:\\d[ -]?){13,16}',
  '(a+)+$',
];
const createPatterns = (count) => Array.from({ length: count }, (_, at) => KINDS[at] ?? `${KINDS[at % 8]}x{${at}}`);

const TEXTS = {
  'prose without a match': repeat(PROSE),
  'a passage every 4 kB': repeat(PROSE.repeat(40) + SECRETS),
  "'a', nothing else": repeat('a'),
};

function repeat(text) {
  return text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH);
}

/** Returns the median duration in milliseconds. */
function measure(work) {
  return median(
    Array.from({ length: rounds }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    }),
  );
}

for (const [name, text] of Object.entries(TEXTS)) {
  const bare = measure(() => JSON.parse(JSON.stringify({ text })));
  const rows = [1, 8, 64].map((count) => {
    const redactor = new Redactor(createPatterns(count));
    const ms = measure(() => redactor.redact(text));
    const short = text.slice(0, (128 * 1024) / count);
    const inline = measure(() => redactor.hasMatch(short));
    return [String(count), ms.toFixed(0), (4000 / ms).toFixed(1), (ms / bare).toFixed(0), inline.toFixed(1)];
  });
  printTable([`${name}: patterns`, 'ms for 4 MiB', 'MiB/s', 'of bare', 'ms on the event loop'], rows);
}

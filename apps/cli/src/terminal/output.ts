import type { WorkloadState } from '@gatehouse/workloads/state/state';

/**
 * Whether a JSON document was printed. A command prints at most one, so that a reader can parse
 * stdout as a whole.
 */
let hasDocument = false;

/** Prints the JSON document of a failure, unless the command has printed its own. */
export function printFailure(document: unknown): void {
  if (!hasDocument) new Output().json(document);
}

/** The output of a command: data on stdout, messages on stderr. */
export class Output {
  /** One line of data. */
  readonly line = (text: string): void => {
    process.stdout.write(`${text}\n`);
  };

  /** A JSON document for programs. It is safe for a terminal too. */
  readonly json = (value: unknown): void => {
    hasDocument = true;
    process.stdout.write(`${printableLines(JSON.stringify(value, null, 2))}\n`);
  };

  /** A message of one or more lines. */
  readonly say = (text: string): void => {
    process.stderr.write(`${printableLines(text)}\n`);
  };
}

/**
 * Makes an external text safe for a terminal. Control characters, which could move the cursor or
 * hide text, characters that change the writing direction, and characters without a glyph are shown
 * as their code. Joiners stay: emoji and some scripts need them.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|(?!\u200C|\u200D|\uFE0F)\p{Default_Ignorable_Code_Point}/gu,
    (character) => character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/**
 * The same for a text whose line breaks and tabs come from the CLI. JSON keeps its meaning: such
 * characters occur only in its strings, where `\u009b` means the same.
 */
export function printableLines(text: string): string {
  return text.replace(/[^\n\t]+/g, printable);
}

/** A workload as `--json` shows it. */
export function toJson(state: WorkloadState): Omit<WorkloadState, 'lost_proxy'> {
  const { lost_proxy: _, ...shown } = state;
  return shown;
}

/** The details of a workload in a few lines for a person. */
export function formatDetails(state: WorkloadState): string[] {
  const rows: [string, string][] = [
    ['Name', state.name],
    ['URL', state.url],
    ['Transport', state.transport_type],
    ['Status', state.status + (state.status_context === undefined ? '' : ` (${state.status_context})`)],
    ['Image', state.package],
    ['Created', state.created_at],
  ];
  return rows.map(([label, value]) => `${label.padEnd(10)} ${value === '' ? '-' : value}`);
}

/** The age of a time, such as `3 minutes ago`; an invalid time stays as it is. */
export function formatAge(time: string, now: Date): string {
  const seconds = Math.floor((now.getTime() - Date.parse(time)) / 1000);
  if (Number.isNaN(seconds)) return time;
  const units: [string, number][] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ];
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}

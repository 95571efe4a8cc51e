import type { WorkloadState } from '@gatehouse/workloads/state';

/** Where a command speaks: data on stdout, talk on stderr. */
export class Output {
  /** One line of data. */
  readonly line = (text: string): void => {
    process.stdout.write(`${text}\n`);
  };

  /** A document for programs. */
  readonly json = (value: unknown): void => {
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  };

  /** One line of talk. */
  readonly say = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
}

/** A workload as `--json` shows it. */
export function jsonOf(state: WorkloadState): Omit<WorkloadState, 'lost_proxy'> {
  const { lost_proxy: _, ...shown } = state;
  return shown;
}

/** A workload in a few lines for a person. */
export function detailsOf(state: WorkloadState): string[] {
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

/** `3 minutes ago`; the time itself when it is no time. */
export function ago(time: string, now: Date): string {
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

import { flagError } from '../errors/workload-error.ts';
import { parseWhole } from './ports.ts';

/** The resources that each container of a workload can use. Zero: no limit. */
export interface ResourceLimits {
  /** Bytes of memory; the container gets no swap beside it. */
  readonly memoryBytes: number;
  /** Processors; fractions are allowed. */
  readonly cpus: number;
  /** Processes and threads. */
  readonly pids: number;
}

/** Default limits: enough for a server with a browser, and not enough to block the machine. */
export const DEFAULT_LIMITS: ResourceLimits = { memoryBytes: 2 * 1024 ** 3, cpus: 2, pids: 512 };

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };
/** Minimum memory that container engines accept. */
const MIN_MEMORY_BYTES = 6 * 1024 ** 2;
const MAX_CPUS = 1024;
const MIN_CPUS = 0.01;

const isUnlimited = (text: string) => text === 'none' || /^0+(?:\.0+)?$/.test(text);

/**
 * Parses `--memory`: a number with the unit b, k, m, g or t (powers of 1024).
 * @throws WorkloadError (usage)
 */
function parseMemory(text: string): number {
  const [, digits, unit = ''] = /^([0-9]+(?:\.[0-9]+)?)([bkmgt]|[kmgt]i?b)?$/i.exec(text) ?? [];
  if (digits === undefined)
    throw flagError(`--memory ${text}`, 'is not an amount of memory', '--memory 2g', '--memory none   for no limit');
  const bytes = Math.round(Number(digits) * (UNITS[unit.charAt(0).toLowerCase()] ?? 1));
  if (bytes < MIN_MEMORY_BYTES)
    throw flagError(`--memory ${text}`, 'is less than 6m, the minimum of container engines');
  if (!Number.isSafeInteger(bytes)) throw flagError(`--memory ${text}`, 'is too large');
  return bytes;
}

function parseCpus(text: string): number {
  const value = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : undefined;
  if (value === undefined)
    throw flagError(`--cpus ${text}`, 'is not a number of processors', '--cpus 0.5', '--cpus none   for no limit');
  if (value < MIN_CPUS || value > MAX_CPUS)
    throw flagError(`--cpus ${text}`, `is not between ${MIN_CPUS} and ${MAX_CPUS}`);
  return value;
}

function parsePids(text: string): number {
  const value = parseWhole(text);
  if (value === undefined || value > 2 ** 22)
    throw flagError(
      `--pids-limit ${text}`,
      'is not a whole number of processes up to 4194304',
      '--pids-limit 512',
      '--pids-limit none   for no limit',
    );
  return value;
}

const parseLimit = (text: string | undefined, read: (text: string) => number, defaultValue: number) =>
  text === undefined ? defaultValue : isUnlimited(text) ? 0 : read(text);

/**
 * Parses `--memory`, `--cpus` and `--pids-limit`; `0` and `none` lift a limit.
 * @throws WorkloadError (usage) that names the flag.
 */
export function parseLimits(flags: {
  readonly memory?: string | undefined;
  readonly cpus?: string | undefined;
  readonly pidsLimit?: string | undefined;
}): ResourceLimits {
  return {
    memoryBytes: parseLimit(flags.memory, parseMemory, DEFAULT_LIMITS.memoryBytes),
    cpus: parseLimit(flags.cpus, parseCpus, DEFAULT_LIMITS.cpus),
    pids: parseLimit(flags.pidsLimit, parsePids, DEFAULT_LIMITS.pids),
  };
}

const CPU_PERIOD_MICROSECONDS = 100_000;

/**
 * Returns the limits as members of the engine's `HostConfig`. The processor limit is a quota,
 * because the engine refuses `NanoCpus` above the number of processors, so that the default would
 * fail on a machine with one.
 */
export function createLimitsBody({ memoryBytes, cpus, pids }: ResourceLimits): Record<string, number> {
  return {
    ...(memoryBytes > 0 && { Memory: memoryBytes, MemorySwap: memoryBytes }),
    ...(cpus > 0 && { CpuPeriod: CPU_PERIOD_MICROSECONDS, CpuQuota: Math.round(cpus * CPU_PERIOD_MICROSECONDS) }),
    ...(pids > 0 && { PidsLimit: pids }),
  };
}

import { badFlag } from './failure.ts';
import { parseWhole } from './ports.ts';

/** The resources that each container of a workload can use. Zero is no limit. */
export interface ResourceLimits {
  /** Bytes of memory; the container gets no swap beside it. */
  readonly memoryBytes: number;
  /** Processors; fractions are allowed. */
  readonly cpus: number;
  /** Processes and threads. */
  readonly pids: number;
}

/**
 * The limits of a workload that names none: enough for a server with a browser, small enough that
 * the machine keeps working.
 */
export const DEFAULT_LIMITS: ResourceLimits = { memoryBytes: 2 * 1024 ** 3, cpus: 2, pids: 512 };

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };
/** Container engines refuse less memory than this. */
const LEAST_MEMORY = 6 * 1024 ** 2;
const MOST_CPUS = 1024;
const LEAST_CPUS = 0.01;

const isLifted = (text: string) => text === 'none' || /^0+(?:\.0+)?$/.test(text);

/**
 * Reads `--memory`: a number with the unit b, k, m, g or t (powers of 1024).
 * @throws WorkloadFailure (usage)
 */
function memoryOf(text: string): number {
  const [, digits, unit = ''] = /^([0-9]+(?:\.[0-9]+)?)([bkmgt]|[kmgt]i?b)?$/i.exec(text) ?? [];
  if (digits === undefined)
    throw badFlag(`--memory ${text}`, 'is not an amount of memory', '--memory 2g', '--memory none   for no limit');
  const bytes = Math.round(Number(digits) * (UNITS[unit.charAt(0).toLowerCase()] ?? 1));
  if (bytes < LEAST_MEMORY)
    throw badFlag(`--memory ${text}`, 'is less than 6m, the least that a container engine accepts');
  if (!Number.isSafeInteger(bytes)) throw badFlag(`--memory ${text}`, 'is more than any machine has');
  return bytes;
}

function cpusOf(text: string): number {
  const value = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : undefined;
  if (value === undefined)
    throw badFlag(`--cpus ${text}`, 'is not a number of processors', '--cpus 0.5', '--cpus none   for no limit');
  if (value < LEAST_CPUS || value > MOST_CPUS)
    throw badFlag(`--cpus ${text}`, `is not between ${LEAST_CPUS} and ${MOST_CPUS}`);
  return value;
}

function pidsOf(text: string): number {
  const value = parseWhole(text);
  if (value === undefined || value > 2 ** 22)
    throw badFlag(
      `--pids-limit ${text}`,
      'is not a whole number of processes up to 4194304',
      '--pids-limit 512',
      '--pids-limit none   for no limit',
    );
  return value;
}

const limit = (text: string | undefined, read: (text: string) => number, otherwise: number) =>
  text === undefined ? otherwise : isLifted(text) ? 0 : read(text);

/**
 * Reads `--memory`, `--cpus` and `--pids-limit`; `0` and `none` lift a limit.
 * @throws WorkloadFailure (usage) that names the flag.
 */
export function parseLimits(flags: {
  readonly memory?: string | undefined;
  readonly cpus?: string | undefined;
  readonly pidsLimit?: string | undefined;
}): ResourceLimits {
  return {
    memoryBytes: limit(flags.memory, memoryOf, DEFAULT_LIMITS.memoryBytes),
    cpus: limit(flags.cpus, cpusOf, DEFAULT_LIMITS.cpus),
    pids: limit(flags.pidsLimit, pidsOf, DEFAULT_LIMITS.pids),
  };
}

const CPU_PERIOD_MICROSECONDS = 100_000;

/**
 * The members of the engine's `HostConfig` that set the limits. The processor limit is a quota and
 * not `NanoCpus`: the engine refuses `NanoCpus` beyond the processors of its machine, so the
 * default would fail on a machine with one.
 */
export function limitsBody({ memoryBytes, cpus, pids }: ResourceLimits): Record<string, number> {
  return {
    ...(memoryBytes > 0 && { Memory: memoryBytes, MemorySwap: memoryBytes }),
    ...(cpus > 0 && { CpuPeriod: CPU_PERIOD_MICROSECONDS, CpuQuota: Math.round(cpus * CPU_PERIOD_MICROSECONDS) }),
    ...(pids > 0 && { PidsLimit: pids }),
  };
}

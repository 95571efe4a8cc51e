import { expect } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { UsageOutbox } from '../../src/settlement/usage-outbox.ts';
import type { UsageIntent, UsageOutcome } from '../../src/settlement/usage-recorder.ts';
import { getKey, type ReceivedReport, type StrictManager } from './strict-manager.ts';

const PROGRAM = fileURLToPath(new URL('killed-gateway.mjs', import.meta.url));
const KILL_POINTS = new URL('kill-points.mjs', import.meta.url).href;

/** The files of a gateway that is killed. */
export interface KilledGateway {
  /** The folder of its outbox. */
  readonly folder: string;
  /** The file with what it knows about its attempts. */
  readonly log: string;
  /** `steps`, `fill`, or a seed. */
  readonly schedule: string;
  /** The step before which it kills itself. */
  readonly killAt?: string;
  /** The largest size of a file in KiB. */
  readonly maxFileKib?: number;
}

/** A line of the log of a killed gateway. */
export interface GatewayLine {
  readonly phase?: 'planned' | 'sent' | 'discarded' | 'ended' | 'finished' | 'refused' | 'done';
  readonly intent?: UsageIntent;
  readonly outcome?: UsageOutcome;
  readonly reason?: string;
  readonly problem?: string;
}

/** The known facts of an attempt. */
export interface KnownAttempt {
  readonly intent: UsageIntent;
  readonly phase: string;
  readonly outcome?: UsageOutcome | undefined;
}

/** Opens an outbox as the killed gateways do. */
export const openOutbox = (folder: string): ReturnType<typeof UsageOutbox.open> =>
  UsageOutbox.open({ folder, gatewayId: 'ai-a', maxEvents: 100_000 });

/** Starts a gateway that records attempts. */
export function startGateway(
  manager: StrictManager,
  { folder, log, schedule, killAt = '', maxFileKib }: KilledGateway,
): Promise<TestProcess> {
  const program = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    '--import',
    KILL_POINTS,
    PROGRAM,
  ] as const;
  const limited = ['bash', '-c', `ulimit -S -f ${maxFileKib}; exec "$@"`, 'bash', ...program] as const;
  return startProcess({
    command: maxFileKib === undefined ? [...program] : [...limited],
    args: [folder, manager.url, log, schedule],
    env: { KILL_AT: killAt },
  });
}

/** Delivers what a killed gateway left, as its next start does. */
export async function drainOutbox(manager: StrictManager, folder: string): Promise<void> {
  const { outbox } = await openOutbox(folder);
  for (let batch = await outbox.readBatch(1_000); batch; batch = await outbox.readBatch(1_000)) {
    manager.receive(JSON.parse(batch.reports) as ReceivedReport[]);
    await outbox.settle(batch, []);
  }
  await outbox.close();
}

/** Reads the log of a gateway. */
export const readLines = (log: string): GatewayLine[] =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as GatewayLine)
    : [];

/** Returns the last known state of each attempt. */
export function learnAttempts(lines: readonly GatewayLine[]): Map<string, KnownAttempt> {
  const known = new Map<string, KnownAttempt>();
  for (const { phase, intent, outcome } of lines)
    if (phase !== undefined && intent !== undefined) known.set(getKey(intent), { phase, intent, outcome });
  return known;
}

/**
 * Checks that each attempt is charged as it must be, and nothing else.
 * @returns the number of attempts in each state
 */
export function checkCharges(manager: StrictManager, known: ReadonlyMap<string, KnownAttempt>): Record<string, number> {
  const seen: Record<string, number> = {};
  expect(manager.conflicts).toEqual([]);
  expect([...manager.charged.keys()].filter((key) => !known.has(key))).toEqual([]);
  for (const [key, { phase, intent, outcome }] of known) {
    const charge = manager.charged.get(key);
    const exact = outcome && describeExact(intent, outcome);
    const estimate = describeOrphan(intent);
    seen[phase] = (seen[phase] ?? 0) + 1;
    if (phase === 'planned') expect([undefined, estimate]).toContainEqual(charge);
    if (phase === 'sent') expect(charge).toEqual(estimate);
    if (phase === 'ended') expect([exact, estimate]).toContainEqual(charge);
    if (phase === 'finished') expect(charge).toEqual(exact);
    if (phase === 'discarded') expect(charge).toBeUndefined();
  }
  return seen;
}

const describeExact = ({ estimated_usage: _, ...facts }: UsageIntent, outcome: UsageOutcome) => ({
  ...facts,
  gateway_id: 'ai-a',
  ...outcome,
});

const describeOrphan = (intent: UsageIntent) => ({
  ...intent,
  gateway_id: 'ai-a',
  outcome: 'client_disconnect',
  upstream_status: 0,
  duration_ms: 0,
  raw_usage: null,
});

/**
 * The chain: a named, ordered list of passes, a file each. A workload gets those that its options
 * switch on; the order is this list and nothing else.
 */
import type { Exchange } from './exchange.ts';

/** The order of all passes, outermost first. */
export const PASS_ORDER = [
  'recover',
  'limits',
  'host',
  'origin',
  'audit',
  'auth',
  'token-exchange',
  'protocol',
  'session',
  'parse',
  'tool-filter',
  'mutating-webhooks',
  'validating-webhooks',
  'authorization',
  'telemetry',
  'forward-headers',
  'upstream',
] as const;

/** The name of a pass. */
export type PassName = (typeof PASS_ORDER)[number];

/**
 * `done`: the pass has answered, or has taken the answer over. `next`: the following pass may look
 * at it.
 */
export type Verdict = 'done' | 'next';

/**
 * One step of the chain. Synchronous where it can be: a request that needs no waiting pays for no
 * promise.
 */
export interface Pass {
  readonly name: PassName;
  enter(exchange: Exchange): Verdict | Promise<Verdict>;
  /**
   * Told of an error that this or a later pass threw, innermost pass first, until one returns true.
   */
  failed?(exchange: Exchange, error: unknown): boolean;
}

/** Puts passes into the order of {@link PASS_ORDER}, whatever order they are given in. */
export function inOrder(passes: readonly Pass[]): readonly Pass[] {
  return passes.toSorted((one, other) => PASS_ORDER.indexOf(one.name) - PASS_ORDER.indexOf(other.name));
}

/**
 * Sends an exchange through the passes. Never throws: an error goes back through the passes it has
 * been through.
 */
export function run(passes: readonly Pass[], exchange: Exchange, from = 0): void {
  for (let at = from; at < passes.length; at++) {
    try {
      const verdict = passes[at]?.enter(exchange) ?? 'done';
      if (verdict === 'done') return;
      if (verdict !== 'next') return void wait(passes, exchange, at, verdict);
    } catch (error) {
      unwind(passes, exchange, at, error);
      return;
    }
  }
}

async function wait(passes: readonly Pass[], exchange: Exchange, at: number, verdict: Promise<Verdict>): Promise<void> {
  try {
    if ((await verdict) === 'next') run(passes, exchange, at + 1);
  } catch (error) {
    unwind(passes, exchange, at, error);
  }
}

function unwind(passes: readonly Pass[], exchange: Exchange, from: number, error: unknown): void {
  for (let at = from; at >= 0; at--) {
    if (passes[at]?.failed?.(exchange, error) === true) return;
  }
}

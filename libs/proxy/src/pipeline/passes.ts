/**
 * The chain of passes. Each pass is one file. The options of a proxy decide which passes it has;
 * only {@link PASS_ORDER} decides their order.
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

/** `done`: the pass answers the request. `next`: the following pass continues. */
export type PassResult = 'done' | 'next';

/**
 * One step of the chain. It returns a promise only when it must wait, for speed. It sees the
 * request in `enter`; there it asks the exchange for the messages of the answer.
 */
export interface Pass {
  readonly name: PassName;
  enter(exchange: Exchange): PassResult | Promise<PassResult>;
  /**
   * Handles an error of this or a later pass. The innermost pass is called first; the first `true`
   * ends the search.
   */
  handleError?(exchange: Exchange, error: unknown): boolean;
}

/** Sorts passes into the order of {@link PASS_ORDER}. */
export function sortPasses(passes: readonly Pass[]): readonly Pass[] {
  return passes.toSorted((one, other) => PASS_ORDER.indexOf(one.name) - PASS_ORDER.indexOf(other.name));
}

/** Sends an exchange through the passes. Errors go back through the same passes. Never throws. */
export function runPasses(passes: readonly Pass[], exchange: Exchange, from = 0): void {
  for (let at = from; at < passes.length; at++) {
    try {
      const verdict = passes[at]?.enter(exchange) ?? 'done';
      if (verdict === 'done') return;
      if (verdict !== 'next') return void awaitResult(passes, exchange, at, verdict);
    } catch (error) {
      handleErrorBackwards(passes, exchange, at, error);
      return;
    }
  }
}

async function awaitResult(
  passes: readonly Pass[],
  exchange: Exchange,
  at: number,
  verdict: Promise<PassResult>,
): Promise<void> {
  try {
    // Without its client, a later pass would wait for the end of a response that has ended already.
    if ((await verdict) === 'next' && !exchange.response.destroyed) runPasses(passes, exchange, at + 1);
  } catch (error) {
    handleErrorBackwards(passes, exchange, at, error);
  }
}

function handleErrorBackwards(passes: readonly Pass[], exchange: Exchange, from: number, error: unknown): void {
  for (let at = from; at >= 0; at--) {
    if (passes[at]?.handleError?.(exchange, error) === true) return;
  }
}

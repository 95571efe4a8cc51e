import type { Log } from '@gatehouse/service-kit/log';
import type { ObservedRefusal } from '../exchange/call-observer.ts';
import type { ModelCallFailure } from '../formats/model-call-error.ts';
import { shorten } from './attempt-spans.ts';

/** In each window, a caller has few lines for the same reason, and all callers have many. */
const WINDOW_MS = 10_000;
const LINES_OF_CALLER = 3;
const LINES_OF_ALL = 200;

/** Failures that an administrator must act on. */
const UNEXPECTED: ReadonlySet<ModelCallFailure> = new Set([
  'unavailable',
  'provider_error',
  'provider_timeout',
  'internal',
]);

/**
 * Logs refusals with the reason for administrators. A client that repeats a refused call cannot
 * fill the log: the lines above a limit are counted only.
 */
export class RefusalLog {
  private readonly lines = new Map<string, number>();
  private windowEndsAt = 0;
  private written = 0;
  private omitted = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly log: Log,
    private readonly now: () => number,
  ) {}

  record(refusal: ObservedRefusal): void {
    this.openWindow();
    const { principal, error, operation, model, interactionId } = refusal;
    if (!this.takeLine(`${principal?.id ?? ''} ${error.failure} ${error.reason ?? ''}`)) {
      this.omitted += 1;
      return;
    }
    const fields = {
      ...(interactionId !== undefined && { interaction_id: interactionId }),
      ...(principal !== undefined && { principal: principal.id }),
      ...(operation !== undefined && { operation: operation.name }),
      ...(model !== undefined && { model: shorten(model) }),
      failure: error.failure,
      ...(error.reason !== undefined && { reason: shorten(error.reason) }),
    };
    if (UNEXPECTED.has(error.failure)) this.log.warn(fields, 'a model call failed');
    else this.log.info(fields, 'a model call was refused');
  }

  private openWindow(): void {
    const now = this.now();
    if (now < this.windowEndsAt) return;
    this.windowEndsAt = now + WINDOW_MS;
    this.lines.clear();
    this.written = 0;
    if (this.omitted === 0) return;
    this.log.info({ omitted: this.omitted }, 'refusals of model calls were not logged: there were too many');
    this.omitted = 0;
  }

  /** Only written lines are remembered, so that `lines` stays small. */
  private takeLine(kind: string): boolean {
    const lines = this.lines.get(kind) ?? 0;
    if (lines >= LINES_OF_CALLER || this.written >= LINES_OF_ALL) return false;
    this.lines.set(kind, lines + 1);
    this.written += 1;
    return true;
  }
}

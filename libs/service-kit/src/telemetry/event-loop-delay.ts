import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Interval of the samples, in milliseconds. */
const RESOLUTION_MS = 10;
/** Interval of the comparisons with the threshold, in milliseconds. */
const CHECK_MS = 10_000;

interface Delay {
  p99Ms: number;
  maxMs: number;
}

/** Options of the monitor. */
interface MonitorOptions {
  metrics: Metrics;
  log: Log;
  /** The delay in milliseconds beyond which a warning is logged; 0 turns the warnings off. */
  warnMs: number;
}

/**
 * Measures the delay of timers in the event loop. The gauges `nodejs.eventloop.delay.p99` and
 * `nodejs.eventloop.delay.max` (OpenTelemetry semantic conventions, in seconds) cover the time
 * since the last collection.
 */
export class EventLoopDelayMonitor {
  private readonly histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private readonly check: NodeJS.Timeout;
  private pending: Delay = { p99Ms: 0, maxMs: 0 };

  constructor(private readonly options: MonitorOptions) {
    const { meter } = options.metrics;
    const gauge = (name: string, description: string) =>
      meter.createObservableGauge(`nodejs.eventloop.delay.${name}`, { description, unit: 's' });
    const p99 = gauge('p99', 'Event loop 99 percentile delay since the last collection');
    const max = gauge('max', 'Event loop maximum delay since the last collection');
    meter.addBatchObservableCallback(
      (result) => {
        this.take();
        result.observe(p99, this.pending.p99Ms / 1000);
        result.observe(max, this.pending.maxMs / 1000);
        this.pending = { p99Ms: 0, maxMs: 0 };
      },
      [p99, max],
    );
    this.histogram.enable();
    this.check = setInterval(() => this.warn(this.take()), CHECK_MS).unref();
  }

  /** Ends the measurement. */
  close(): void {
    clearInterval(this.check);
    this.warn(this.take());
    this.histogram.disable();
  }

  /** Adds the measurements since the last call to `pending` and returns them. */
  private take(): Delay {
    const measured: Delay = {
      p99Ms: milliseconds(this.histogram.percentile(99)),
      maxMs: milliseconds(this.histogram.max),
    };
    this.histogram.reset();
    this.pending = {
      p99Ms: Math.max(this.pending.p99Ms, measured.p99Ms),
      maxMs: Math.max(this.pending.maxMs, measured.maxMs),
    };
    return measured;
  }

  private warn({ maxMs, p99Ms }: Delay): void {
    const { warnMs, log } = this.options;
    if (warnMs === 0 || maxMs <= warnMs) return;
    log.warn(
      { delay_max_ms: Math.round(maxMs), delay_p99_ms: Math.round(p99Ms), threshold_ms: warnMs },
      'the event loop was blocked for longer than EVENT_LOOP_WARN_MS, and requests waited',
    );
  }
}

/** A sample is the time between two timers, so an idle loop measures the resolution. */
const milliseconds = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) : 0;

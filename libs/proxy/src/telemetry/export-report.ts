import { type ExportResult, ExportResultCode } from '@opentelemetry/core';

/** Tells the log when the collector stops and starts to take telemetry. */
export class ExportReport {
  #isFailing = false;

  /**
   * @param endpoint the address of the collector, for messages
   * @param signal the kind of telemetry
   * @param log receives sentences
   */
  constructor(
    private readonly endpoint: string,
    private readonly signal: 'traces' | 'metrics',
    private readonly log: (level: 'info' | 'warn', message: string) => void,
  ) {}

  /** Makes an exporter report its results. @returns the same exporter */
  watch<T extends { export(items: never, done: (result: ExportResult) => void): void }>(exporter: T): T {
    const send = exporter.export.bind(exporter);
    exporter.export = (items, done) =>
      send(items, (result) => {
        this.#note(result);
        done(result);
      });
    return exporter;
  }

  #note({ code, error }: ExportResult): void {
    const hasFailed = code !== ExportResultCode.SUCCESS;
    if (hasFailed === this.#isFailing) return;
    this.#isFailing = hasFailed;
    if (!hasFailed) this.log('info', `The collector ${this.endpoint} takes ${this.signal} again.`);
    else {
      const reason = (error?.message ?? 'it does not answer').split('\n', 1)[0]?.slice(0, 200) ?? '';
      this.log('warn', `The collector ${this.endpoint} does not take ${this.signal}, which are dropped: ${reason}`);
    }
  }
}

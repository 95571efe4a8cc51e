/** Most recordings of one connector in a minute, by one replica. */
const MOST = 10;
const MINUTE_MS = 60_000;

/** Limits how often the changes of one connector are written, however often its lists change. */
export class RecordingLimit {
  private readonly times = new Map<string, number[]>();

  constructor(private readonly now: () => number) {}

  /**
   * Counts a recording.
   * @returns undefined if it may be made, or the time of the next one in milliseconds
   */
  take(connectorId: string): number | undefined {
    const now = this.now();
    const recent = (this.times.get(connectorId) ?? []).filter((at) => at > now - MINUTE_MS);
    this.times.set(connectorId, recent);
    const [oldest] = recent;
    if (recent.length >= MOST && oldest !== undefined) return oldest + MINUTE_MS;
    recent.push(now);
    return undefined;
  }
}

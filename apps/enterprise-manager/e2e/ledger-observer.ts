import type { TestManager } from './enterprise-manager.ts';
import { billionths } from './ledger-model.ts';
import type { Sender, Sent } from './ledger-sender.ts';

/** A limit that never falls during a test. */
export interface SteadyLimit {
  /** `<scope> <subject_id>` */
  payer: string;
  period: 'day' | 'month' | 'year';
}

interface Snapshot {
  cells: { payer: string; period: string; start: string; used: string; reserved: string }[] | null;
  limits: { payer: string; period: string; limit: string }[] | null;
  charges: { key: string; payer: string; usd: string; day: string; event: string }[] | null;
  events: { key: string; event: string; time: string }[] | null;
}

/** Reads all tables in one statement, so that they are of the same moment. */
const SNAPSHOT = `SELECT
  (SELECT json_agg(json_build_object('payer', scope || ' ' || subject_id, 'period', period, 'start', period_start::text, 'used', used_usd::text,
    'reserved', reserved_usd::text)) FROM budget_cells) AS cells,
  (SELECT json_agg(json_build_object('payer', scope || ' ' || subject_id, 'period', period, 'limit', limit_usd::text)) FROM budgets) AS limits,
  (SELECT json_agg(json_build_object('key', interaction_id || ' ' || attempt, 'payer', scope || ' ' || subject_id, 'usd', charged_usd::text,
    'day', (event_time AT TIME ZONE 'UTC')::date::text, 'event', event_id)) FROM charges) AS charges,
  (SELECT json_agg(json_build_object('key', interaction_id || ' ' || attempt, 'event', id,
    'time', to_char(event_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) FROM usage_events) AS events`;

const inWindow = (day: string, period: string, start: string) =>
  period === 'day'
    ? day === start
    : period === 'month'
      ? day.startsWith(start.slice(0, 7))
      : day.startsWith(start.slice(0, 4));

/** Compares the database with the log of the sender. It shares no code with the service. */
export class Observer {
  constructor(
    private readonly sql: TestManager['sql'],
    private readonly sender: Sender,
    private readonly steady: readonly SteadyLimit[],
  ) {}

  /** Returns the current differences. */
  async findDifferences(): Promise<string[]> {
    const [row] = await this.sql<Snapshot>(SNAPSHOT);
    const { cells, limits, charges, events } = {
      ...{ cells: row?.cells ?? [], limits: row?.limits ?? [] },
      ...{ charges: row?.charges ?? [], events: row?.events ?? [] },
    };
    return [
      ...this.findUnexpectedEvents(events),
      ...charges.flatMap((charge) => this.findChargeErrors(charge)),
      ...cells.flatMap((cell) => {
        const paid = charges.filter(({ payer, day }) => payer === cell.payer && inWindow(day, cell.period, cell.start));
        const sum = paid.reduce((total, { usd }) => total + billionths(usd), 0n);
        const used = billionths(cell.used);
        const wrong =
          used === sum ? [] : [`${cell.payer} ${cell.period} ${cell.start} has used ${used}, but charges of ${sum}`];
        const limit = limits.find(({ payer, period }) => payer === cell.payer && period === cell.period)?.limit;
        if (
          limit === undefined ||
          !this.steady.some(({ payer, period }) => payer === cell.payer && period === cell.period)
        )
          return wrong;
        const overrun = paid.reduce((total, { key }) => total + (this.sender.log.get(key)?.overrun ?? 0n), 0n);
        const total = used + billionths(cell.reserved);
        const excess = total - billionths(limit) - overrun;
        return excess > 0n
          ? [
              ...wrong,
              `${cell.payer} ${cell.period} has ${total} with a limit of ${limit} and overruns of ${overrun}: ${excess} too much`,
            ]
          : wrong;
      }),
    ];
  }

  private findUnexpectedEvents(events: NonNullable<Snapshot['events']>): string[] {
    const seen = new Set<string>();
    return events.flatMap(({ key, time }) => {
      const sent = this.sender.log.get(key);
      const duplicate = seen.has(key) ? [`event ${key} is stored twice`] : [];
      seen.add(key);
      if (sent === undefined) return [...duplicate, `event ${key} was never sent`];
      const isSameTime = new Date(sent.event.event_time).toISOString() === time;
      return isSameTime ? duplicate : [...duplicate, `event ${key} has the time ${time}`];
    });
  }

  private findChargeErrors({ key, payer, usd }: NonNullable<Snapshot['charges']>[number]): string[] {
    const sent: Sent | undefined = this.sender.log.get(key);
    if (sent === undefined) return [`charge of ${key} was never sent`];
    const costs = billionths(usd);
    return [
      ...(costs === sent.price ? [] : [`${key} is charged ${costs}, not ${sent.price}`]),
      ...(sent.payer === undefined || sent.payer === payer ? [] : [`${key} is paid by ${payer}, not ${sent.payer}`]),
      ...(payer.startsWith('group ') || payer === `user ${sent.user}` ? [] : [`${key} is paid by ${payer}`]),
    ];
  }

  /**
   * Returns the acknowledged reports that are missing, have another id, or a wrong number of
   * charges.
   * @param all whether reports without an acknowledgement must be stored too
   */
  async findLost(all: boolean): Promise<string[]> {
    const acknowledged = [...this.sender.log].filter(([, sent]) => all || sent.acknowledged !== undefined);
    const [row] = await this.sql<Snapshot>(SNAPSHOT);
    const events = new Map((row?.events ?? []).map(({ key, event }) => [key, event]));
    const charged = new Set((row?.charges ?? []).map(({ key }) => key));
    return acknowledged.flatMap(([key, sent]) => [
      ...(events.get(key) === undefined ? [`event ${key} is lost`] : []),
      ...(sent.acknowledged && events.get(key) !== sent.acknowledged.event_id ? [`event ${key} has another id`] : []),
      ...(charged.has(key) === (sent.price !== undefined)
        ? []
        : [`event ${key} has ${charged.has(key) ? 'a' : 'no'} charge`]),
    ]);
  }
}

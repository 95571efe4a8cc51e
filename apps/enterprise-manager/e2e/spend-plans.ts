import pg from 'pg';

/** What of a plan is read here. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** One statement as it was sent, with its plan. */
export interface SentStatement {
  text: string;
  /**
   * Tables that were read as a whole, but for those that have next to nothing in them: there an
   * index would be the longer way.
   */
  scanned: string[];
  /** Months of raw rows that were looked at. */
  months: string[];
  /** Raw rows (usage events with their charges, and records of tool calls) that were touched. */
  rawRows: number;
  /** Rows of all tables that were touched. */
  rows: number;
}

/** Rows of a month that has just begun. */
const NEXT_TO_NOTHING = 1_000;

const RAW = /^(?:usage_events|tool_calls)_/;

/**
 * Notes the statements that a service sends while something runs, by explaining each again with its
 * own values, in the settings that it was sent with.
 * @param url where to explain them
 */
export async function statementsOf(url: string, work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: { text: string; values: unknown[] }[] = [];
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with each client
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const watched = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const text = typeof first === 'string' ? first : (first as { text?: string }).text;
    const values = Array.isArray(second) ? second : ((first as { values?: unknown[] }).values ?? []);
    if (text !== undefined) sent.push({ text, values });
    return original.apply(this, args);
  };
  pg.Client.prototype.query = watched as typeof pg.Client.prototype.query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original as typeof pg.Client.prototype.query;
  }
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    const explained: SentStatement[] = [];
    for (const { text, values } of sent) {
      const query = text.replace(/^DECLARE \w+ NO SCROLL CURSOR WITH HOLD FOR /, '');
      if (!/^\s*(?:SELECT|WITH)\b/.test(query)) continue;
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${query}`,
        values,
      );
      const [row] = rows;
      if (row) explained.push(factsOf(text, row['QUERY PLAN'][0].Plan));
    }
    return explained;
  } finally {
    await client.end();
  }
}

function factsOf(text: string, plan: PlanNode): SentStatement {
  const facts: SentStatement = { text, scanned: [], months: [], rawRows: 0, rows: 0 };
  const look = (node: PlanNode): void => {
    const table = node['Relation Name'];
    if (table !== undefined && (node['Actual Loops'] ?? 0) > 0) {
      const rows =
        ((node['Actual Rows'] ?? 0) +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)) *
        (node['Actual Loops'] ?? 1);
      facts.rows += rows;
      if (node['Node Type'] === 'Seq Scan' && rows > NEXT_TO_NOTHING) facts.scanned.push(table);
      if (RAW.test(table)) {
        facts.months.push(table);
        facts.rawRows += rows;
      }
    }
    node.Plans?.forEach(look);
  };
  look(plan);
  return facts;
}

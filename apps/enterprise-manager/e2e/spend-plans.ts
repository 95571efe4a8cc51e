import pg from 'pg';

/** The used fields of a node of a query plan. */
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

/** A statement that the service sent, with facts of its plan. */
export interface SentStatement {
  text: string;
  /** Tables that were read with a sequential scan of more than `SMALL_TABLE_ROWS` rows. */
  scanned: string[];
  /** Monthly partitions of raw rows that were read, except scans of small ones. */
  months: string[];
  /** The number of raw rows (usage events and records of tool calls) of these partitions. */
  rawRows: number;
  /** The number of rows of all tables that were read. */
  rows: number;
}

/** The rows up to which a sequential scan is cheaper than an index, as in a new month. */
const SMALL_TABLE_ROWS = 1_000;

const RAW = /^(?:usage_events|tool_calls)_/;

/**
 * Records the statements that are sent while `work` runs and explains each with its own values.
 * @param url the database that explains the statements
 */
export async function recordStatements(url: string, work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: { text: string; values: unknown[] }[] = [];
  // eslint-disable-next-line @typescript-eslint/unbound-method -- `apply` binds it to each client
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const recordStatement = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const text = typeof first === 'string' ? first : (first as { text?: string }).text;
    const values = Array.isArray(second) ? second : ((first as { values?: unknown[] }).values ?? []);
    if (text !== undefined) sent.push({ text, values });
    return original.apply(this, args);
  };
  pg.Client.prototype.query = recordStatement as typeof pg.Client.prototype.query;
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
      if (row) explained.push(collectFacts(text, row['QUERY PLAN'][0].Plan));
    }
    return explained;
  } finally {
    await client.end();
  }
}

function collectFacts(text: string, plan: PlanNode): SentStatement {
  const facts: SentStatement = { text, scanned: [], months: [], rawRows: 0, rows: 0 };
  const visit = (node: PlanNode): void => {
    const table = node['Relation Name'];
    if (table !== undefined && (node['Actual Loops'] ?? 0) > 0) {
      const rows =
        ((node['Actual Rows'] ?? 0) +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)) *
        (node['Actual Loops'] ?? 1);
      facts.rows += rows;
      const isScan = node['Node Type'] === 'Seq Scan';
      if (isScan && rows > SMALL_TABLE_ROWS) facts.scanned.push(table);
      if (RAW.test(table) && !(isScan && rows <= SMALL_TABLE_ROWS)) {
        facts.months.push(table);
        facts.rawRows += rows;
      }
    }
    node.Plans?.forEach(visit);
  };
  visit(plan);
  return facts;
}

import { readUsd, writeUsd } from '@gatehouse/money/usd';
import type { TestManager } from './enterprise-manager.ts';
import { fillSpend, deriveUuid } from './spend-fill.ts';

/** The fields of a charge in the API that the sums need. */
export interface ShownCharge {
  id: string;
  event_time: string;
  auth_subject: string;
  provider: string;
  model: string;
  scope: 'user' | 'group';
  subject_id: string;
  charged_usd: string;
}

/**
 * The users of the scene: two with directory entries, one without, and users whose names need
 * escaping in CSV.
 */
export const SPENDERS = ['alice', 'bob', 'gone', 'partners/carol', '=1+1', 'o"brien, jr'];
/** The groups of the scene, which have no directory entries. */
export const PAYING_GROUPS = [deriveUuid('group 0'), deriveUuid('group 1'), deriveUuid('group 2')];

/** Creates charges of the last 90 days with their budget cells and sums. */
export async function createSpendScene(manager: TestManager, charges = 2_500): Promise<void> {
  const now = Date.now();
  await fillSpend(manager.database.adminUrl, {
    last: charges,
    people: SPENDERS,
    groups: PAYING_GROUPS,
    models: 5,
    from: new Date(now - 90 * 86_400_000),
    to: new Date(now),
  });
  await manager.sql(
    `INSERT INTO usage_claims (interaction_id, attempt, event_id, event_time, content_sha256) SELECT interaction_id, attempt, id, event_time, '' FROM usage_events`,
  );
}

/** Returns the sum of amounts with nine decimal places. */
export const sumAmounts = (amounts: readonly string[]): string =>
  writeUsd(amounts.reduce((sum, amount) => sum + readUsd(amount), 0n));

/** Parses the lines of an NDJSON response. */
export const parseLines = <Row>(body: unknown): Row[] =>
  String(body)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

/** Reads all charges that match the filters as NDJSON. */
export async function readAllCharges(manager: TestManager, query: Record<string, string> = {}): Promise<ShownCharge[]> {
  const { status, body } = await manager.client.call('GET /v1/budgets/charges', {
    token: manager.tokens.auditor,
    query,
    headers: { accept: 'application/x-ndjson' },
  });
  if (status !== 200) throw new Error(`no charges: ${status} ${String(body)}`);
  return parseLines(body);
}

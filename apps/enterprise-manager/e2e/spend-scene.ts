import { readUsd, writeUsd } from '@gatehouse/money/usd';
import type { TestManager } from './enterprise-manager.ts';
import { fillSpend, uuidOf } from './spend-fill.ts';

/** A charge as the API shows it, as far as sums need it. */
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
 * People of the scene: two of the directory, one who is not in it, and names that files could
 * misread.
 */
export const SPENDERS = ['alice', 'bob', 'gone', 'partners/carol', '=1+1', 'o"brien, jr'];
/** Groups of the scene, which the directory does not have any more. */
export const PAYING_GROUPS = [uuidOf('group 0'), uuidOf('group 1'), uuidOf('group 2')];

/** Some 2,500 charges of the last three months, their cells and sums. */
export async function spendScene(manager: TestManager, charges = 2_500): Promise<void> {
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

/** The sum of amounts, with nine digits. */
export const sumOf = (amounts: readonly string[]): string =>
  writeUsd(amounts.reduce((sum, amount) => sum + readUsd(amount), 0n));

/** The lines of an NDJSON answer. */
export const linesOf = <Row>(body: unknown): Row[] =>
  String(body)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

/** Every charge that the API shows for these filters, by NDJSON. */
export async function allCharges(manager: TestManager, query: Record<string, string> = {}): Promise<ShownCharge[]> {
  const { status, body } = await manager.client.call('GET /v1/budgets/charges', {
    token: manager.tokens.auditor,
    query,
    headers: { accept: 'application/x-ndjson' },
  });
  if (status !== 200) throw new Error(`no charges: ${status} ${String(body)}`);
  return linesOf(body);
}

import { readResponse, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { findSubjectId } from './subjects.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

type Alert = Schemas['BudgetAlert'];
type Write = Schemas['BudgetAlertWrite'];
type Delivery = Schemas['BudgetAlertDelivery'];

const LIST = 'gatehouse admin alerts list';

/** Lists budget alerts in the order of their creation. */
export const listAlerts = (manager: Manager, wanted: ListOptions): Promise<Collected<Alert>> =>
  collect(wanted, (page) =>
    readResponse(manager, manager.api.GET('/v1/budgets/alerts', { params: { query: page } }), {
      fields: { items: 'list' },
    }),
  );

/** An alert by id or name. @throws CliError when there is none, or more than one */
export async function findAlert(manager: Manager, text: string): Promise<Alert> {
  if (isId(text)) return (await readWithEtag(manager, text)).alert;
  const { items } = await listAlerts(manager, { limit: 0, all: true });
  const named = items.filter(({ name }) => name === text);
  return requireUnique('alert', text, named, ({ url }) => url, LIST);
}

/**
 * The fields with the `subject_id` of a user or group that is given by name. Budgets identify
 * subjects by this id only.
 */
async function withSubjectId<T extends Partial<Write>>(manager: Manager, scope: Write['scope'], fields: T): Promise<T> {
  const { subject_id: text } = fields;
  if (scope === undefined || text === undefined) return fields;
  return { ...fields, subject_id: await findSubjectId(manager, scope, text) };
}

/** Creates an alert. @param fields the subject by id or name */
export async function createAlert(manager: Manager, fields: Write): Promise<Schemas['BudgetAlertWithSecret']> {
  const body = await withSubjectId(manager, fields.scope, fields);
  return readResponse(manager, manager.api.POST('/v1/budgets/alerts', { body }), { fields: { secret: 'text' } });
}

/**
 * Changes fields of an alert. A concurrent change by another administrator is not overwritten.
 * @param changes the subject by id or name
 * @param cleared fields to remove
 */
export async function updateAlert(
  manager: Manager,
  text: string,
  changes: Partial<Write>,
  cleared: readonly ('scope' | 'subject_id' | 'periods')[],
): Promise<Alert> {
  const { alert, etag } = await readWithEtag(manager, (await findAlert(manager, text)).id);
  const { name, thresholds, url, allow_private_ips, enabled } = alert;
  const narrowing = { scope: alert.scope, subject_id: alert.subject_id, periods: alert.periods };
  const kept = Object.entries(narrowing).filter(
    ([field, value]) => value !== undefined && !cleared.includes(field as keyof typeof narrowing),
  );
  const kinds: Partial<Write> = Object.fromEntries(kept);
  const named = await withSubjectId(manager, changes.scope ?? kinds.scope, changes);
  const body: Write = { name, thresholds, url, allow_private_ips, enabled, ...kinds, ...named };
  return readResponse(
    manager,
    manager.api.PUT('/v1/budgets/alerts/{id}', {
      params: { path: { id: alert.id } },
      headers: { 'if-match': etag },
      body,
    }),
  );
}

/** Deletes an alert with its deliveries. */
export async function deleteAlert(manager: Manager, { id }: Alert): Promise<void> {
  await readResponse(manager, manager.api.DELETE('/v1/budgets/alerts/{id}', { params: { path: { id } } }));
}

/** Replaces the secret of an alert. The previous secret also signs for one day. */
export const rotateAlertSecret = (manager: Manager, { id }: Alert): Promise<Schemas['BudgetAlertWithSecret']> =>
  readResponse(manager, manager.api.POST('/v1/budgets/alerts/{id}/rotate-secret', { params: { path: { id } } }), {
    fields: { secret: 'text' },
  });

/** Lists the deliveries of an alert, newest first. */
export const listDeliveries = (
  manager: Manager,
  { id }: Alert,
  state: Delivery['state'] | undefined,
  wanted: ListOptions,
): Promise<Collected<Delivery>> =>
  collect(wanted, (page) => {
    const query = { ...page, ...(state !== undefined && { state }) };
    return readResponse(
      manager,
      manager.api.GET('/v1/budgets/alerts/{id}/deliveries', { params: { path: { id }, query } }),
      {
        fields: { items: 'list' },
      },
    );
  });

/** Sends a delivery again. */
export const resendDelivery = (manager: Manager, { id }: Alert, delivery: string): Promise<Delivery> =>
  readResponse(
    manager,
    manager.api.POST('/v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', {
      params: { path: { id, delivery_id: delivery } },
    }),
    { list: `gatehouse admin alerts deliveries ${id}` },
  );

/**
 * Interval and time limit for polling a test delivery, in milliseconds: a target has 15 s to
 * answer, and a replica sends the delivery within a second.
 */
const POLL_INTERVAL_MS = 500;
const POLL_TIMEOUT_MS = 30_000;

/**
 * Sends a test delivery and waits for the target's answer.
 * @throws CommandFailedError when the target rejects it
 */
export async function testAlert(
  manager: Manager,
  { id }: Alert,
  sleep: (ms: number) => Promise<unknown>,
): Promise<Delivery> {
  const call = manager.api.POST('/v1/budgets/alerts/{id}/test', { params: { path: { id } } });
  let delivery = await readResponse(manager, call, { fields: { id: 'text', attempts: 'list' } });
  for (let waited = 0; delivery.state === 'pending' && waited < POLL_TIMEOUT_MS; waited += POLL_INTERVAL_MS) {
    await sleep(POLL_INTERVAL_MS);
    const path = { id, delivery_id: delivery.id };
    const look = manager.api.GET('/v1/budgets/alerts/{id}/deliveries/{delivery_id}', { params: { path } });
    delivery = await readResponse(manager, look, { fields: { id: 'text', attempts: 'list' } });
  }
  if (delivery.state === 'delivered') return delivery;
  const why = delivery.attempts.at(-1)?.error ?? 'it has not been sent yet';
  throw new CommandFailedError(`The test delivery failed: ${why}`, [`gatehouse admin alerts deliveries ${id}`]);
}

async function readWithEtag(manager: Manager, id: string): Promise<{ alert: Alert; etag: string }> {
  const call = manager.api.GET('/v1/budgets/alerts/{id}', { params: { path: { id } } });
  const alert = await readResponse(manager, call, { fields: { id: 'text' }, list: LIST });
  return { alert, etag: (await call).response.headers.get('etag') ?? '' };
}

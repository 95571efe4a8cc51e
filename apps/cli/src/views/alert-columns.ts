import type { Column } from '../base/manager-command.ts';
import type { Schemas } from '../services/manager/manager.ts';
import type { NameResolver } from '../services/manager/names.ts';

/** The columns of budget alerts. */
export const alertColumns = (getName: NameResolver): readonly Column<Schemas['BudgetAlert']>[] => [
  ['NAME', (alert) => alert.name],
  ['WATCHES', (alert) => watchedBy(alert, getName)],
  ['PERIODS', (alert) => alert.periods?.join(', ') ?? 'all'],
  ['THRESHOLDS', (alert) => alert.thresholds.map((percent) => `${percent} %`).join(', ')],
  ['ENABLED', (alert) => (alert.enabled ? 'yes' : 'no')],
  ['URL', (alert) => alert.url],
  ['ID', (alert) => alert.id],
];

/** The columns of deliveries. */
export const deliveryColumns = (getName: NameResolver): readonly Column<Schemas['BudgetAlertDelivery']>[] => [
  ['CREATED', (delivery) => delivery.created_at],
  ['KIND', (delivery) => delivery.kind],
  ['SCOPE', (delivery) => delivery.scope],
  ['SUBJECT', (delivery) => getName(delivery.scope, delivery.subject_id)],
  ['WINDOW', (delivery) => `${delivery.period} ${delivery.period_start.slice(0, 10)}`],
  ['THRESHOLD', (delivery) => `${delivery.threshold_percent} %`],
  ['STATE', (delivery) => delivery.state],
  ['ATTEMPTS', (delivery) => delivery.attempts.length],
  ['LAST', (delivery) => delivery.attempts.at(-1)?.error ?? delivery.attempts.at(-1)?.status],
  ['ID', (delivery) => delivery.id],
];

function watchedBy({ scope, subject_id: subject }: Schemas['BudgetAlert'], getName: NameResolver): string {
  if (scope === undefined) return 'all budgets';
  return subject === undefined ? scope : `${scope} ${getName(scope, subject)}`;
}

import type { Column } from '../base/manager-command.ts';
import type { Schemas } from '../services/ai-gateway/management.ts';
import type { Policy } from '../services/ai-gateway/policies.ts';
import { formatMatcher } from '../services/ai-gateway/principal-matchers.ts';
import { formatAge } from '../terminal/output.ts';

/** The most characters of a shortened cell. */
const WIDTH = 40;

/** The columns of AI policies. @param now the time for their age */
export const createPolicyColumns = (now: Date): readonly Column<Policy>[] => [
  ['NAME', ({ metadata }) => metadata?.name],
  ['GATEWAY', ({ spec }) => spec.gatewayRef.name],
  ['MATCHERS', ({ spec }) => shorten(spec.principalMatchers.map(formatMatcher), ' or ')],
  ['MODELS', ({ spec }) => shorten(listGrants(spec), ', ')],
  ['ACCEPTED', formatAccepted],
  ['CREATED', ({ metadata }) => metadata?.creationTimestamp && formatAge(metadata.creationTimestamp, now)],
];

/** The columns of models of an AI gateway. */
export const MODEL_COLUMNS: readonly Column<Schemas['Model']>[] = [
  ['ID', (model) => model.id],
  ['OWNER', (model) => model.owned_by],
  ['NAME', (model) => model.display_name],
  ['CONTEXT', (model) => model.context_window],
];

/** The granted models, each once. `*` is all models. */
const listGrants = ({ budgets = [] }: Policy['spec']): string[] => {
  const models = [...new Set(budgets.flatMap((budget) => budget.models))];
  return models.includes('*') ? ['*'] : models;
};

/** The first of several texts, and how many more there are; undefined without a text. */
export function shorten(texts: readonly string[], separator: string): string | undefined {
  const shown: string[] = [];
  for (const text of texts) {
    if (shown.length > 0 && [...shown, text].join(separator).length > WIDTH) break;
    shown.push(text);
  }
  const rest = texts.length - shown.length;
  const [first] = shown;
  if (first === undefined) return undefined;
  const cut = shown.length === 1 && first.length > WIDTH ? `${first.slice(0, WIDTH - 1)}…` : shown.join(separator);
  return rest === 0 ? cut : `${cut} + ${rest}`;
}

/** Whether the policy has a gateway, and the reasons of the conditions that do not hold. */
export function formatAccepted({ status }: Policy): string | undefined {
  const conditions = status?.conditions ?? [];
  const accepted = conditions.find(({ type }) => type === 'Accepted');
  if (accepted === undefined || accepted.status === 'Unknown') return undefined;
  const reasons = conditions.flatMap(({ status: state, reason }) => (state === 'False' ? [reason] : []));
  return `${accepted.status === 'True' ? 'yes' : 'no'}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`;
}

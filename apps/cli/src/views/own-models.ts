import type { Column } from '../base/manager-command.ts';
import type { Caller } from '../services/ai-gateway/gateway.ts';
import type { Schemas as ManagementSchemas } from '../services/ai-gateway/management.ts';
import type { Schemas } from '../services/manager/manager.ts';
import { printable } from '../terminal/output.ts';
import { getRateBlock } from './pricing-view.ts';

type Model = ManagementSchemas['ModelList']['data'][number];
type Price = Schemas['PricingEntry'];

/** A model that the caller may use. */
export interface OwnModel {
  readonly id: string;
  /** Undefined for a granted model without a route of its own. */
  readonly model: Model | undefined;
  /** Undefined for a model without a price, and for a caller who may not read prices. */
  readonly price: Price | undefined;
}

/**
 * Joins the granted models with the models and the prices of the gateway.
 * @param prices undefined for a caller who may not read them
 */
export function joinOwnModels(
  granted: readonly string[],
  models: readonly Model[],
  prices: readonly Price[] | undefined,
): OwnModel[] {
  const known = new Map(models.map((model) => [model.id, model]));
  return granted.map((id) => {
    const model = known.get(id);
    const price = prices?.find((entry) => entry.provider === model?.owned_by && entry.model === id);
    return { id, model, price };
  });
}

/** The columns of the models of the caller. @param hasPrices whether the caller may read prices */
export const createOwnModelColumns = (hasPrices: boolean): readonly Column<OwnModel>[] => [
  ['MODEL', ({ id }) => id],
  ['PROVIDER', ({ model }) => model?.owned_by],
  ['NAME', ({ model }) => (model === undefined ? 'no route of its own' : model.display_name)],
  ['CONTEXT', ({ model }) => model?.context_window],
  ...(hasPrices ? PRICE_COLUMNS : []),
];

const PRICE_COLUMNS: readonly Column<OwnModel>[] = [
  ['INPUT', ({ price }) => formatRate(price && getRateBlock(price)?.inputUsdPerMillion)],
  ['OUTPUT', ({ price }) => formatRate(price && getRateBlock(price)?.outputUsdPerMillion)],
];

const formatRate = (rate: string | undefined): string | undefined => (rate === undefined ? undefined : `$${rate}`);

/** Why the caller has no models, and who can change that. */
export function describeMissingModels({ email, subject, groups, matchedPolicies }: Caller): string {
  const policies = matchedPolicies.map(({ name }) => printable(name)).join(', ');
  const reason =
    policies === ''
      ? 'no AI policy matches you'
      : `the AI policies that match you grant no model of the gateway: ${policies}`;
  const facts = groups.length === 0 ? 'no groups' : `the groups ${groups.map(printable).join(', ')}`;
  return [
    `You have no models: ${reason}`,
    `Ask an administrator of the AI gateway for a policy that matches you. You are ${printable(email ?? subject)}, with ${facts}`,
  ].join('\n');
}

import { computeCharge } from '@gatehouse/money/charge';
import { UsageCountError } from '@gatehouse/money/counts';
import { PriceList } from '@gatehouse/money/price-list';
import { withPlainNumbers } from '../../json/exact-json.ts';
import { type Usage, readUsage } from '@gatehouse/money/usage';
import { readUsd, type Usd, writeUsd } from '@gatehouse/money/usd';
import { streamObjects } from './streamed-responses.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { allCharges, allEvents, listEvents } from './spend.ts';

type Charge = Schemas['Charge'];
type UsageEvent = Schemas['UsageEvent'];

/** A difference between a charge and the amount that its event and its prices give. */
export interface ChargeDifference {
  readonly charge_id: string;
  readonly event_time: string;
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
}

/** The result of an audit of charges. */
export interface ChargeAudit {
  /** The number of checked charges, and their sum. */
  checked: number;
  charged_usd: string;
  /**
   * Charges without reported or estimated usage. Their amount is the estimate of the admission, so
   * it cannot be recomputed.
   */
  reserved_only: number;
  /** The number of differences, and the first of them. */
  difference_count: number;
  differences: ChargeDifference[];
}

/** The recomputed amount of an event; undefined when the amount is the estimate of an admission. */
interface RecomputedCharge {
  charged: Usd | undefined;
  basis: Charge['basis'];
  usage: Usage;
}

/**
 * The most differences that the result lists. Further differences are only counted: so many have a
 * common cause.
 */
const KEPT = 1_000;

/**
 * Recomputes every charge of a time range from the reported usage and from the version of the
 * catalog that the charge names.
 * @param range RFC 3339 times
 */
export async function auditCharges(
  manager: Manager,
  range: { readonly from?: string; readonly to?: string },
  signal: AbortSignal,
): Promise<ChargeAudit> {
  const audit: ChargeAudit = { checked: 0, charged_usd: '', reserved_only: 0, difference_count: 0, differences: [] };
  const events = new EventFinder(manager, streamObjects<UsageEvent>(manager, allEvents(range), signal));
  const prices = new PricesById(manager);
  let [sum, before] = [0n, ''];
  for await (const charge of streamObjects<Charge>(manager, allCharges(range), signal)) {
    audit.checked += 1;
    const charged = readUsd(charge.charged_usd);
    sum += charged;
    const differ = (field: string, expected: string, actual: string) => {
      audit.difference_count += 1;
      if (audit.differences.length < KEPT)
        audit.differences.push({ charge_id: charge.id, event_time: charge.event_time, field, expected, actual });
    };
    if (charge.id === before) differ('id', 'one charge', 'a second charge with the same id');
    before = charge.id;
    const event = await events.of(charge);
    if (event === undefined) {
      differ('event_id', charge.event_id, 'no event with this id');
      continue;
    }
    for (const field of ['interaction_id', 'auth_subject', 'provider', 'model', 'event_time'] as const)
      if (event[field] !== charge[field]) differ(field, event[field], charge[field]);
    const recomputed = recompute(await prices.of(charge.pricing_catalog_id), event);
    if (typeof recomputed === 'string') {
      differ('charged_usd', recomputed, charge.charged_usd);
      continue;
    }
    const { basis, usage, charged: expected } = recomputed;
    if (expected === undefined && charge.basis === 'estimated') audit.reserved_only += 1;
    else {
      if ((expected ?? 0n) !== charged) differ('charged_usd', writeUsd(expected ?? 0n), charge.charged_usd);
      if (basis !== charge.basis) differ('basis', basis, charge.basis);
    }
    if (formatCounts(usage) !== formatCounts(charge.usage))
      differ('usage', formatCounts(usage), formatCounts(charge.usage));
  }
  audit.charged_usd = writeUsd(sum);
  return audit;
}

/** @returns the recomputed charge, or a sentence when no price applies */
function recompute(prices: PriceList | undefined, event: UsageEvent): RecomputedCharge | string {
  if (prices === undefined) return 'an existing version of the prices';
  const rates = prices.find(event.provider, event.model);
  if (rates === undefined) return 'a price in the version of the charge';
  try {
    for (const [basis, object] of [
      ['reported', event.raw_usage],
      ['estimated', event.estimated_usage],
    ] as const) {
      const usage = object === undefined ? undefined : readUsage(rates.vendor, withPlainNumbers(object));
      if (usage !== undefined) return { charged: computeCharge(rates, usage), basis, usage };
    }
  } catch (error) {
    if (error instanceof UsageCountError) return `readable usage: ${error.message}`;
    throw error;
  }
  return { charged: undefined, basis: 'none', usage: {} };
}

/** The counts as text, sorted by name. */
const formatCounts = (usage: Readonly<Record<string, unknown>>): string =>
  Object.entries(usage)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${String(count)}`)
    .join(', ');

/** Reads versions of the pricing catalog, each once. */
export class PricesById {
  readonly #known = new Map<string, PriceList | undefined>();

  constructor(private readonly manager: Manager) {}

  async of(id: string): Promise<PriceList | undefined> {
    if (!this.#known.has(id)) this.#known.set(id, await this.#read(id));
    return this.#known.get(id);
  }

  async #read(id: string): Promise<PriceList | undefined> {
    const call = this.manager.api.GET('/v1/budgets/pricing/catalogs/{id}', { params: { path: { id } } });
    if ((await call).response.status === 404) return undefined;
    const { spec, provider_aliases: aliases } = await readResponse(this.manager, call, { fields: { spec: 'object' } });
    return new PriceList(spec, aliases);
  }
}

/**
 * Finds the events of charges. Both lists have the same order, so each is read once and little
 * memory is needed.
 */
class EventFinder {
  #time = '';
  #sameTime = new Map<string, UsageEvent>();
  #next: UsageEvent | undefined;
  #begun = false;

  constructor(
    private readonly manager: Manager,
    private readonly events: AsyncGenerator<UsageEvent>,
  ) {}

  async of({ event_time: time, event_id: id }: Charge): Promise<UsageEvent | undefined> {
    if (!this.#begun) await this.#advance();
    this.#begun = true;
    if (time !== this.#time) {
      this.#time = time;
      this.#sameTime = new Map();
      while (this.#next !== undefined && this.#next.event_time >= time) {
        if (this.#next.event_time === time) this.#sameTime.set(this.#next.id, this.#next);
        await this.#advance();
      }
    }
    return this.#sameTime.get(id) ?? this.#findLateEvent(time, id);
  }

  async #advance(): Promise<void> {
    const result = await this.events.next();
    this.#next = result.done === true ? undefined : result.value;
  }

  /** Finds an event that was stored after the list had been read past its position. */
  async #findLateEvent(from: string, id: string): Promise<UsageEvent | undefined> {
    const to = new Date(Date.parse(from) + 1).toISOString();
    const { items } = await listEvents(this.manager, { from, to }, { all: true, limit: 0 });
    return items.find((event) => event.id === id);
  }
}

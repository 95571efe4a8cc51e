import {
  AdmissionAnswerDto,
  ChangedKeyDto,
  ExtendedReservationDto,
  GatewayPriceListDto,
  KeyChangesDto,
  LeaseAnswerDto,
  PricingEntryDto,
  ResolvedKeyDto,
  RevealedSecretDto,
  UsageReceiptDto,
  UsageReceiptsDto,
} from '@gatehouse/contracts-enterprise-manager/validation';
import { PriceList } from '@gatehouse/money/price-list';
import {
  checkReceived,
  checkReceivedDocument,
  checkReceivedFrame,
  checkReceivedItems,
  ContractViolationError,
  type Received,
} from '@gatehouse/service-kit/received';
import type { AttemptDecision, LeaseDecision } from '../admission/budget-calls.ts';

/** The result of one usage report. */
export type UsageReceipt = Received<UsageReceiptDto>;
/** A usable key and its owner. */
export type ResolvedKey = Received<ResolvedKeyDto>;
/** Changed keys. */
export type KeyChanges = Received<KeyChangesDto>;
/** The value of a secret and its version. */
export type RevealedSecret = Received<RevealedSecretDto>;

/**
 * The documents that the enterprise manager sends to an AI gateway. Each function returns the
 * document itself, or throws a ContractViolationError that names the first invalid field.
 */
export const receivedDocuments = {
  admission: (body: unknown): AttemptDecision => checkReceived(AdmissionAnswerDto, body),
  lease: (body: unknown): LeaseDecision => checkReceived(LeaseAnswerDto, body),
  extension: (body: unknown) => checkReceived(ExtendedReservationDto, body),
  usageReceipts: (body: unknown): Received<UsageReceiptsDto> => checkUsageReceipts(body),
  key: (body: unknown): ResolvedKey => checkReceived(ResolvedKeyDto, body),
  keyChanges: (body: unknown): Promise<KeyChanges> =>
    checkReceivedDocument(KeyChangesDto, body, { keys: ChangedKeyDto }),
  priceList: (body: unknown): Promise<PriceList> => readPriceList(body),
  secret: (body: unknown): RevealedSecret => checkReceived(RevealedSecretDto, body),
};

/** Equal receipts are checked once: the check of one costs more than the rest of its delivery. */
function checkUsageReceipts(body: unknown): Received<UsageReceiptsDto> {
  const frame = checkReceivedFrame(UsageReceiptsDto, body, ['results']);
  const checked = new Set<string>();
  for (const [at, receipt] of frame.results.entries()) {
    // The id differs in every receipt, and the gateway does not use it.
    const text = JSON.stringify({ ...toObject(receipt), event_id: undefined });
    if (checked.has(text)) continue;
    checkReceived(UsageReceiptDto, receipt, `/results/${at}`);
    checked.add(text);
  }
  return body as Received<UsageReceiptsDto>;
}

/** Reads prices. The entries are checked in slices, which give the event loop back in between. */
async function readPriceList(body: unknown): Promise<PriceList> {
  const entries = getMember(getMember(body, 'spec'), 'entries');
  if (!Array.isArray(entries)) throw new ContractViolationError('/spec/entries', ['must be an array']);
  const frame = { ...toObject(body), spec: { ...toObject(getMember(body, 'spec')), entries: [] } };
  const { provider_aliases, spec } = checkReceived(GatewayPriceListDto, frame);
  const checked = await checkReceivedItems(PricingEntryDto, entries, '/spec/entries');
  return new PriceList({ ...spec, entries: checked }, provider_aliases);
}

const toObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
const getMember = (value: unknown, name: string): unknown => Reflect.get(toObject(value), name);

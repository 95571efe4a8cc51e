import { writeUsd } from '@gatehouse/money/usd';
import type { ParsedReport, PricedCase } from './settlement.ts';
import type { FirstReport } from './usage-claims.repository.ts';
import type { Receipt } from './usage-events.dto.ts';

/** A case that this transaction settles, with the id of its event and its report. */
export interface NewCase extends PricedCase {
  event_id: string;
  parsed: ParsedReport;
}

/** The receipt of a settled case. */
export const toReceipt = ({ event_id, price }: NewCase): Receipt =>
  price === undefined
    ? { status: 'unpriceable', event_id }
    : { status: 'charged', event_id, charged_usd: writeUsd(price.charged), basis: price.basis };

type FirstReceipt = Pick<FirstReport, 'event_id' | 'gateway_id' | 'content_sha256' | 'charged_usd' | 'basis'>;

/** A settled case as the first report of its attempt. */
export const toFirstReport = ({ event_id, parsed, price }: NewCase): FirstReceipt => ({
  event_id,
  gateway_id: parsed.report.gateway_id,
  content_sha256: parsed.contentHash,
  charged_usd: price && writeUsd(price.charged),
  basis: price?.basis,
});

/**
 * The receipt of a repeated report: the result of the first report of its attempt. It tells nothing
 * about a first report of another gateway.
 */
export function toRepeatReceipt({ contentHash, report }: ParsedReport, first: FirstReceipt): Receipt {
  const { event_id, content_sha256, charged_usd, basis } = first;
  if (first.gateway_id !== undefined && first.gateway_id !== report.gateway_id)
    return { status: 'conflict', error: 'interaction_id: another gateway has reported this attempt' };
  return {
    ...(contentHash === content_sha256
      ? { status: 'duplicate' as const }
      : {
          status: 'conflict' as const,
          error: 'interaction_id: this attempt was reported before with other content; that report stays as it is',
        }),
    event_id,
    ...(charged_usd !== undefined && { charged_usd }),
    ...(basis !== undefined && { basis }),
  };
}

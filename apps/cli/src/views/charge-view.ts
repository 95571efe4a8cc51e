import type { Column } from '../base/manager-command.ts';
import type { ChargeStatement } from '../services/manager/charge-statement.ts';

/** A row of the arithmetic of a charge. */
export interface ChargeRow {
  readonly part: string;
  readonly quantity?: string;
  readonly rate_usd?: string;
  readonly unit?: string;
  readonly amount_usd: string;
}

/** The columns of the arithmetic of a charge. */
export const CHARGE_ROW_COLUMNS: readonly Column<ChargeRow>[] = [
  ['PART', ({ part }) => part],
  ['QUANTITY', ({ quantity }) => quantity],
  ['RATE USD', ({ rate_usd: rate }) => rate],
  ['UNIT', ({ unit }) => unit],
  ['AMOUNT USD', ({ amount_usd: amount }) => amount],
];

/** The lines of a charge, their exact sum, the rounding and the amount that was charged. */
export function chargeRows(statement: ChargeStatement): ChargeRow[] {
  const charged = { part: 'charged', amount_usd: statement.charge.charged_usd };
  if (statement.is_admission_estimate) return [charged];
  return [
    ...statement.lines.map(({ bucket, unit, ...line }) => ({ part: bucket, unit: `per ${unit}`, ...line })),
    { part: 'exact sum', amount_usd: statement.sum_usd },
    { part: 'rounding', amount_usd: statement.rounding_usd },
    ...(statement.differs ? [{ part: 'computed', amount_usd: statement.computed_usd }] : []),
    charged,
  ];
}

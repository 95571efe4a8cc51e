import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The result of the enterprise manager for one report (spec 7, `POST /webhooks/budgets/usage`). */
export interface UsageReceipt {
  readonly status: string;
  readonly charged_usd?: string | undefined;
  readonly basis?: string | undefined;
  readonly error?: string | undefined;
}

/** A batch of reports was not accepted. */
export class UsageReportsError extends GatehouseError {
  override readonly code = 'usage_reports_failed';

  constructor(
    /** Undefined without a response, or for one that breaks the contract. */
    readonly status: number | undefined,
    message: string,
    details?: ErrorDetails,
  ) {
    super(message, details);
  }
}

/** Reports usage to the enterprise manager. */
export abstract class UsageReports {
  /**
   * Delivers a batch. It may be repeated.
   * @param reports JSON array of at most 1,000 reports
   * @returns one receipt for each report, in their order
   * @throws UsageReportsError
   */
  abstract deliver(reports: string, signal: AbortSignal): Promise<readonly UsageReceipt[]>;
}

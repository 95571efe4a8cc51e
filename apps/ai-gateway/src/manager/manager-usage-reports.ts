import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { type UsageReceipt, UsageReports, UsageReportsError } from '../settlement/usage-reports.ts';
import type { ManagerClient } from './manager-client.ts';

/** Reports usage through the client of the enterprise manager. */
export class ManagerUsageReports extends UsageReports {
  constructor(private readonly manager: Pick<ManagerClient, 'deliverUsage'>) {
    super();
  }

  async deliver(reports: string, signal: AbortSignal): Promise<readonly UsageReceipt[]> {
    try {
      return await this.manager.deliverUsage(reports, signal);
    } catch (cause) {
      if (!(cause instanceof ManagerError)) throw cause;
      const { status, message, retryAfterMs } = cause;
      throw new UsageReportsError(status, message, { cause, retryAfterMs });
    }
  }
}

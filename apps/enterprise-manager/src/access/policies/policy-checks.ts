import type { ClaimMapping } from '@gatehouse/policy/claims';
import { ChecksBusyError, DocumentChecks } from '@gatehouse/policy/document-checks';
import { type DocumentFault, type Examination, formatFaults } from '@gatehouse/policy/document';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { policyClaims, SETTINGS, type Settings } from '../../config/config.ts';

const RETRY_AFTER_MS = 5_000;

/** Checks the Cedar documents of administrators in a worker thread. */
@Injectable()
export class PolicyChecks implements OnApplicationShutdown {
  private readonly checks = new DocumentChecks();
  private readonly claims: ClaimMapping;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.claims = policyClaims(settings);
  }

  /**
   * Checks a document. Returns the users and groups that it mentions.
   * @throws HttpError too_large, unprocessable with the positions of the faults, unavailable if too
   * many documents wait
   */
  async examine(document: string, connectorId: string): Promise<Examination> {
    const examination = await this.checks.examine(document, connectorId, this.claims).catch((error: unknown) => {
      if (!(error instanceof ChecksBusyError)) throw error;
      throw new HttpError('unavailable', `${error.message}; try again later`, {
        retryAfterMs: RETRY_AFTER_MS,
      });
    });
    refuseDocument(examination.faults);
    return examination;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.checks.close();
  }
}

/** @throws HttpError unprocessable for any fault, too_large for the size */
export function refuseDocument(faults: readonly DocumentFault[]): void {
  if (faults.length === 0) return;
  const message = formatFaults(faults);
  const kind = faults.some(({ isTooLarge }) => isTooLarge) ? 'too_large' : 'unprocessable';
  throw new HttpError(kind, `document: ${message}`, {
    violations: [{ field: '/document', message }],
  });
}

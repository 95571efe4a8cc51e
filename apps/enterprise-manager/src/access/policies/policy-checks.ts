import type { ClaimMapping } from '@gatehouse/policy/claims';
import { ChecksBusyError, DocumentChecks } from '@gatehouse/policy/document-checks';
import { type DocumentFault, type Examination, faultsMessage } from '@gatehouse/policy/document';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { policyClaims, SETTINGS, type Settings } from '../../config/config.ts';

const RETRY_AFTER_MS = 5_000;

/** Examines Cedar documents that administrators write, beside the thread that answers. */
@Injectable()
export class PolicyChecks implements OnApplicationShutdown {
  private readonly checks = new DocumentChecks();
  private readonly claims: ClaimMapping;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.claims = policyClaims(settings);
  }

  /**
   * Whom a document names.
   * @throws HttpError too_large, unprocessable with the places of what is wrong with it,
   * unavailable when too many are examined
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

/** @throws HttpError unprocessable when there is any fault, too_large when it is the size */
export function refuseDocument(faults: readonly DocumentFault[]): void {
  if (faults.length === 0) return;
  const sentence = faultsMessage(faults);
  const kind = faults.some(({ isTooLarge }) => isTooLarge) ? 'too_large' : 'unprocessable';
  throw new HttpError(kind, `document: ${sentence}`, {
    violations: [{ field: '/document', message: sentence }],
  });
}

import { Requires } from '@gatehouse/service-kit/access';
import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { CSV_TYPE } from './csv.ts';
import { SpendExportQuery } from './spend.dto.ts';
import { SpendExportService } from './spend-export.service.ts';
import { SPEND_EXPORT_EXAMPLE } from './spend.examples.ts';

/** What was spent, as a file. */
@Controller('v1/budgets/spend/export')
export class SpendExportController {
  constructor(private readonly exports: SpendExportService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Spend export (CSV)',
    description:
      'The columns are `bucket` (the first date of the day, week or month in the zone; weeks begin on Monday), `group_key` (where there are several dimensions: one column for each, named after it), `charge_count` and `charged_usd`, and `user_name` where `names` asks for it; sorted by bucket, then by `charged_usd` from the greatest on, then by key. `user` is whose request it was. The filters narrow which charges are included. `from` and `to` are honoured to the moment, so that exports that adjoin count each charge once; the first and the last bucket then hold a part of their day, week or month. The window is clamped to the retention horizon and the end of the current day, and the two headers say what was served. A key that a spreadsheet would run as a formula has one apostrophe in front. 404 where the operator has not enabled it.',
    success: {
      status: 200,
      contentType: 'text/csv',
      headers: ['X-Spend-Export-From', 'X-Spend-Export-To', 'Content-Disposition'],
    },
    errors: [400, 404],
    examples: {
      answer: SPEND_EXPORT_EXAMPLE,
      failures: { 404: 'spend exports are not enabled here; the operator sets SPEND_EXPORT_ENABLED' },
    },
    tag: 'spend',
  })
  async get(@Query({ schema: SpendExportQuery }) query: SpendExportQuery): Promise<Answer<Readable>> {
    const { window, filename, csv } = await this.exports.begin(query);
    return withHeaders(csv, {
      'content-type': CSV_TYPE,
      'content-disposition': `attachment; filename="${filename}"`,
      'x-spend-export-from': window.from.toISOString(),
      'x-spend-export-to': window.to.toISOString(),
    });
  }
}

import { Requires } from '@gatehouse/service-kit/access';
import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { CSV_TYPE } from './csv.ts';
import { SpendExportQuery } from './spend.dto.ts';
import { SpendExportService } from './spend-export.service.ts';
import { SPEND_EXPORT_EXAMPLE } from './spend.examples.ts';

/** HTTP download of spend as CSV. */
@Controller('v1/budgets/spend/export')
export class SpendExportController {
  constructor(private readonly exports: SpendExportService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Spend export (CSV)',
    description:
      'The columns are `bucket` (the first date of the day, week or month in the time zone; weeks begin on Monday), `group_key` (with several dimensions: one column for each, with its name), `charge_count`, `charged_usd`, and `user_name` with `names`. Rows are sorted by bucket, then by `charged_usd` in descending order, then by key. `user` is the user that made the requests. The filters select charges. `from` and `to` are exact, so that adjacent exports count each charge once; the first and the last bucket can contain a part of their day, week or month. The window is limited to the time from the retention horizon to the end of the current day; two headers contain the served window. A key that a spreadsheet would run as a formula begins with an apostrophe. The operation is 404 unless the operator has enabled it.',
    success: {
      status: 200,
      contentType: 'text/csv',
      headers: ['X-Spend-Export-From', 'X-Spend-Export-To', 'Content-Disposition'],
    },
    errors: [400, 404],
    examples: {
      response: SPEND_EXPORT_EXAMPLE,
      failures: { 404: 'spend exports are not enabled; the operator can set SPEND_EXPORT_ENABLED' },
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

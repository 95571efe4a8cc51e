import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import type { Answer } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Headers, Query } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { ALSO_NDJSON, listAnswer } from '../../database/list-response.ts';
import { NDJSON_TYPE } from '../../database/ndjson.ts';
import { ChargeListQuery, ChargesPage, OwnChargeListQuery } from './charges.dto.ts';
import { ChargesService } from './charges.service.ts';

const success = { status: 200, schema: ChargesPage, alsoAs: [NDJSON_TYPE] };

/** HTTP reads of charges. */
@Controller('v1')
export class ChargesController {
  constructor(private readonly charges: ChargesService) {}

  @Get('budgets/charges')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List charges',
    description: `Lists charges, newest first: one charge for each usage event with a price. ${ALSO_NDJSON}`,
    success,
    errors: [400],
    tag: 'spend',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ChargeListQuery }) query: ChargeListQuery,
    @Headers('accept') accept: string | undefined,
  ): Promise<Answer<ChargesPage | Readable>> {
    return listAnswer(accept, query, {
      readPage: () => this.charges.list(caller, query),
      stream: () => this.charges.stream(query),
    });
  }

  @Get('me/budgets/charges')
  @Requires('user')
  @Operation({
    summary: 'List own charges',
    description: `Lists the charges of the caller’s own requests, newest first, regardless of the payer. ${ALSO_NDJSON}`,
    success,
    errors: [400],
    tag: 'me',
  })
  own(
    @CurrentCaller() caller: Caller,
    @Query({ schema: OwnChargeListQuery }) query: OwnChargeListQuery,
    @Headers('accept') accept: string | undefined,
  ): Promise<Answer<ChargesPage | Readable>> {
    return listAnswer(accept, query, {
      readPage: () => this.charges.listOwn(caller, query),
      stream: () => this.charges.streamOwn(caller, query),
    });
  }
}

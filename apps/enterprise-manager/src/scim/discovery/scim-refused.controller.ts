import { Operation } from '@gatehouse/service-kit/operation';
import { AuthenticatedBy } from '@gatehouse/service-kit/own-callers';
import { applyDecorators, Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ScimError } from '../protocol/types.ts';
import { ScimFailure } from '../http/scim-failures.ts';
import { createScimSuccess, createScimOperation } from '../http/scim-operations.ts';
import { SCIM_TOKEN, ScimCallers } from '../tokens/scim-callers.ts';

const NotImplemented = (summary: string): MethodDecorator =>
  applyDecorators(
    AuthenticatedBy(ScimCallers, SCIM_TOKEN),
    Operation(createScimOperation({ summary, success: createScimSuccess(501, ScimFailure), errors: [] })),
  );

const throwNotImplemented = (detail: string): never => {
  throw new ScimError(501, undefined, detail);
};

const NO_BULK = 'Bulk requests are not supported; send the operations one by one.';
const NO_ME = 'A SCIM token identifies a provisioning client and not a user, so /Me is not supported; use /Users/{id}.';
const ONE_TYPE = 'Searches over all types at once are not supported; search /Users or /Groups.';

/** The operations of RFC 7644 that the service provider configuration calls unsupported. */
@Controller('scim/:issuer_id/v2')
export class ScimRefusedController {
  @Post('Bulk')
  @NotImplemented('SCIM: bulk')
  bulk(): never {
    return throwNotImplemented(NO_BULK);
  }

  @Post('.search')
  @NotImplemented('SCIM: search all types')
  search(): never {
    return throwNotImplemented(ONE_TYPE);
  }

  @Get('Me')
  @NotImplemented('SCIM: get me')
  getMe(): never {
    return throwNotImplemented(NO_ME);
  }

  @Post('Me')
  @NotImplemented('SCIM: create me')
  createMe(): never {
    return throwNotImplemented(NO_ME);
  }

  @Put('Me')
  @NotImplemented('SCIM: replace me')
  replaceMe(): never {
    return throwNotImplemented(NO_ME);
  }

  @Patch('Me')
  @NotImplemented('SCIM: patch me')
  patchMe(): never {
    return throwNotImplemented(NO_ME);
  }

  @Delete('Me')
  @NotImplemented('SCIM: delete me')
  deleteMe(): never {
    return throwNotImplemented(NO_ME);
  }
}

import { Operation } from '@gatehouse/service-kit/operation';
import { AuthenticatedBy } from '@gatehouse/service-kit/own-callers';
import { applyDecorators, Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ScimError } from '../protocol/types.ts';
import { ScimFailure } from '../http/scim-failures.ts';
import { createScimSuccess, createScimOperation } from '../http/scim-operations.ts';
import { SCIM_TOKEN, ScimCallers } from '../tokens/scim-callers.ts';

const NotImplementedOperation = (summary: string): MethodDecorator =>
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
  @NotImplementedOperation('SCIM: bulk')
  bulk(): never {
    return throwNotImplemented(NO_BULK);
  }

  @Post('.search')
  @NotImplementedOperation('SCIM: search all types')
  search(): never {
    return throwNotImplemented(ONE_TYPE);
  }

  @Get('Me')
  @NotImplementedOperation('SCIM: get me')
  getMe(): never {
    return throwNotImplemented(NO_ME);
  }

  @Post('Me')
  @NotImplementedOperation('SCIM: create me')
  createMe(): never {
    return throwNotImplemented(NO_ME);
  }

  @Put('Me')
  @NotImplementedOperation('SCIM: replace me')
  replaceMe(): never {
    return throwNotImplemented(NO_ME);
  }

  @Patch('Me')
  @NotImplementedOperation('SCIM: patch me')
  patchMe(): never {
    return throwNotImplemented(NO_ME);
  }

  @Delete('Me')
  @NotImplementedOperation('SCIM: delete me')
  deleteMe(): never {
    return throwNotImplemented(NO_ME);
  }
}

import { Operation } from '@gatehouse/service-kit/operation';
import { AuthenticatedBy } from '@gatehouse/service-kit/own-callers';
import { applyDecorators, Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ScimError } from '../protocol/types.ts';
import { ScimFailure } from '../http/scim-failures.ts';
import { scimSuccess, scimOperation } from '../http/scim-operations.ts';
import { SCIM_TOKEN, ScimCallers } from '../tokens/scim-callers.ts';

const NotServed = (summary: string): MethodDecorator =>
  applyDecorators(
    AuthenticatedBy(ScimCallers, SCIM_TOKEN),
    Operation(scimOperation({ summary, success: scimSuccess(501, ScimFailure), errors: [] })),
  );

const refuse = (what: string): never => {
  throw new ScimError(501, undefined, what);
};

const noBulk = 'Bulk requests are not supported; send the operations one by one.';
const nobody = 'A SCIM token stands for a provisioning client, not for a person, so there is nobody behind /Me.';
const oneType = 'Searches over all types at once are not supported; search /Users or /Groups.';

/** The parts of RFC 7644 that are not served, as the service provider configuration says. */
@Controller('scim/:issuer_id/v2')
export class ScimRefusedController {
  @Post('Bulk')
  @NotServed('SCIM: bulk')
  bulk(): never {
    return refuse(noBulk);
  }

  @Post('.search')
  @NotServed('SCIM: search all types')
  search(): never {
    return refuse(oneType);
  }

  @Get('Me')
  @NotServed('SCIM: get me')
  getMe(): never {
    return refuse(nobody);
  }

  @Post('Me')
  @NotServed('SCIM: create me')
  createMe(): never {
    return refuse(nobody);
  }

  @Put('Me')
  @NotServed('SCIM: replace me')
  replaceMe(): never {
    return refuse(nobody);
  }

  @Patch('Me')
  @NotServed('SCIM: patch me')
  patchMe(): never {
    return refuse(nobody);
  }

  @Delete('Me')
  @NotServed('SCIM: delete me')
  deleteMe(): never {
    return refuse(nobody);
  }
}

import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, computeETag, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import {
  ManagedSecret,
  ManagedSecretCreate,
  ManagedSecretListQuery,
  ManagedSecretPage,
  ManagedSecretUpdate,
} from './managed-secrets.dto.ts';
import { ManagedSecretsService } from './managed-secrets.service.ts';

/** HTTP operations of administrators on managed secrets. No operation returns a value. */
@Controller('v1/managed-secrets')
export class ManagedSecretsController {
  constructor(private readonly secrets: ManagedSecretsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({ summary: 'List managed secrets', success: { status: 200, schema: ManagedSecretPage }, errors: [400] })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ManagedSecretListQuery }) query: ManagedSecretListQuery,
  ): Promise<ManagedSecretPage> {
    return this.secrets.list(caller, query);
  }

  @Post()
  @Requires('admin')
  @Operation({
    summary: 'Create managed secret',
    description: 'Encrypts the value before it is stored. No operation for administrators returns it.',
    success: { status: 201, schema: ManagedSecret, headers: ['ETag', 'Location'] },
    errors: [400, 409, 503],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: ManagedSecretCreate }) body: ManagedSecretCreate,
  ): Promise<Answer<ManagedSecret>> {
    const secret = await this.secrets.create(caller, body);
    return withETag(secret, computeETag(secret), { location: `/v1/managed-secrets/${secret.id}` });
  }

  @Get(':id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get managed secret',
    success: { status: 200, schema: ManagedSecret, headers: ['ETag'] },
    errors: [400, 404],
    ifNoneMatch: true,
  })
  async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<ManagedSecret>> {
    const secret = await this.secrets.get(id);
    return withETag(secret, computeETag(secret));
  }

  @Put(':id')
  @Requires('admin')
  @Operation({
    summary: 'Update managed secret',
    description:
      'Replaces the value of the secret and increments its version. Gateways use the new value from their next request on.',
    success: { status: 200, schema: ManagedSecret, headers: ['ETag'] },
    errors: [400, 404, 412, 422, 503],
    ifMatch: 'optional',
  })
  async update(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: ManagedSecretUpdate }) body: ManagedSecretUpdate,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ManagedSecret>> {
    const secret = await this.secrets.update(caller, id, body, ifMatch);
    return withETag(secret, computeETag(secret));
  }

  @Delete(':id')
  @Requires('admin')
  @Operation({
    summary: 'Delete managed secret',
    description:
      'Deletes a secret. A secret that a connector or an identity provider uses cannot be deleted: the 409 response names its users.',
    success: { status: 204 },
    errors: [400, 404, 409, 412],
    ifMatch: 'optional',
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.secrets.delete(caller, id, ifMatch);
  }
}

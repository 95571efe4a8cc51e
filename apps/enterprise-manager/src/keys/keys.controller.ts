import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { RequestHeaders } from '@gatehouse/service-kit/request-headers';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { MAX_KEYS } from './key.ts';
import { KeyCreate, KeyList, KeyPath, KeyWithSecret, RotationHeaders, VirtualKey } from './keys.dto.ts';
import { KeysService } from './keys.service.ts';

/** The operations on the caller's own keys. */
@Controller('v1/keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @Requires('user')
  @Operation({
    summary: "List the caller's virtual API keys",
    description: 'Returns the keys that are not revoked, newest first, and then the newest revoked keys.',
    success: { status: 200, schema: KeyList },
    errors: [403],
  })
  list(@CurrentCaller() caller: Caller): Promise<KeyList> {
    return this.keys.list(caller);
  }

  @Post()
  @Requires('user')
  @Operation({
    summary: 'Create a virtual API key',
    description: `The key belongs to the caller and acts on behalf of the caller. Only this response contains its secret. A user can have at most ${MAX_KEYS} keys that are neither revoked nor expired.`,
    success: { status: 201, schema: KeyWithSecret, headers: ['Location'] },
    errors: [400, 403, 409],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: KeyCreate }) body: KeyCreate,
  ): Promise<Answer<KeyWithSecret>> {
    const made = await this.keys.create(caller, body);
    return withHeaders(made, { location: `/v1/keys/${made.key.id}`, 'cache-control': 'no-store' });
  }

  @Get(':id')
  @Requires('user')
  @Operation({
    summary: "Get one of the caller's virtual API keys",
    success: { status: 200, schema: VirtualKey },
    errors: [400, 403, 404],
  })
  get(@CurrentCaller() caller: Caller, @Param({ schema: KeyPath }) { id }: KeyPath): Promise<VirtualKey> {
    return this.keys.get(caller, id);
  }

  @Delete(':id')
  @Requires('user')
  @Operation({
    summary: "Revoke one of the caller's virtual API keys",
    description:
      'Revokes the key and all its secrets permanently, in any status. Revoking a revoked key changes nothing.',
    success: { status: 204 },
    errors: [400, 403, 404],
  })
  revoke(@CurrentCaller() caller: Caller, @Param({ schema: KeyPath }) { id }: KeyPath): Promise<void> {
    return this.keys.revoke(caller, id);
  }

  @Post(':id/disable')
  @Requires('user')
  @Operation({
    summary: "Disable one of the caller's virtual API keys",
    description:
      'The key is unusable until it is enabled again. Disabling a key that the caller has already disabled changes nothing.',
    success: { status: 204 },
    errors: [400, 403, 404, 409],
  })
  disable(@CurrentCaller() caller: Caller, @Param({ schema: KeyPath }) { id }: KeyPath): Promise<void> {
    return this.keys.disable(caller, id);
  }

  @Post(':id/enable')
  @Requires('user')
  @Operation({
    summary: "Re-enable one of the caller's disabled virtual API keys",
    description:
      'Enables a key that the caller disabled. A key that is revoked or expired, or that an administrator disabled, is 409.',
    success: { status: 204 },
    errors: [400, 403, 404, 409],
  })
  enable(@CurrentCaller() caller: Caller, @Param({ schema: KeyPath }) { id }: KeyPath): Promise<void> {
    return this.keys.enable(caller, id);
  }

  @Post(':id/rotate')
  @Requires('user')
  @Operation({
    summary: "Rotate one of the caller's virtual API keys",
    description:
      'Gives the key a new secret. Only this response contains it. The previous secret stays valid for 24 hours; the secret before that one ends at once. Only an active key can be rotated. With the header `Idempotency-Key`, a repeated request is 409 instead of a second rotation, which would end the last secret that the caller has.',
    headers: RotationHeaders,
    success: { status: 200, schema: KeyWithSecret },
    errors: [400, 403, 404, 409],
  })
  async rotate(
    @CurrentCaller() caller: Caller,
    @Param({ schema: KeyPath }) { id }: KeyPath,
    @RequestHeaders(RotationHeaders) headers: RotationHeaders,
  ): Promise<Answer<KeyWithSecret>> {
    return withHeaders(await this.keys.rotate(caller, id, headers['Idempotency-Key']), { 'cache-control': 'no-store' });
  }
}

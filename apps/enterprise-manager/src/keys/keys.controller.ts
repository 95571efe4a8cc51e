import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { RequestHeaders } from '@gatehouse/service-kit/request-headers';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { MAX_KEYS } from './key.ts';
import { KeyCreate, KeyList, KeyPath, KeyWithSecret, RotationHeaders, VirtualKey } from './keys.dto.ts';
import { KeysService } from './keys.service.ts';

/** The caller's own virtual API keys over HTTP. */
@Controller('v1/keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @Requires('user')
  @Operation({
    summary: "List the caller's virtual API keys",
    description: 'Newest first: all that are not revoked, then the newest revoked ones.',
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
    description: `The key belongs to the caller and acts in the caller's name. Its secret is in this answer and in no other. A person has at most ${MAX_KEYS} keys that are neither revoked nor expired.`,
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
    description: 'For ever, from every state, and its old secret with it. Revoking a revoked key changes nothing.',
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
    description: 'Until it is enabled again. Disabling a key that the caller disabled already changes nothing.',
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
      'Undoes what the caller disabled. A key that is revoked or expired, or that an administrator disabled, is 409.',
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
      'The key gets a new secret, shown in this answer alone; the secret before works for 24 hours, one before that ends at once. Only an active key is rotated. With the header `Idempotency-Key` a repeat is 409 instead of a second rotation, which would end the last secret that the caller has.',
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

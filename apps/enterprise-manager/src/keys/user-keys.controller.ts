import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Post } from '@nestjs/common';
import { IdPath } from '../validation/text.ts';
import { KeyList, UserKeyPath } from './keys.dto.ts';
import { KeysService } from './keys.service.ts';

/** The operations of administrators on the keys of users. */
@Controller('v1/users/:id/keys')
export class UserKeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: "List a user's virtual API keys",
    description: 'Returns the keys that are not revoked, newest first, and then the newest revoked keys.',
    success: { status: 200, schema: KeyList },
    errors: [400, 404],
    tag: 'keys',
  })
  list(@Param({ schema: IdPath }) { id }: IdPath): Promise<KeyList> {
    return this.keys.listForUser(id);
  }

  @Post(':key_id/disable')
  @Requires('admin')
  @Operation({
    summary: 'Disable a virtual API key of a user',
    description: 'The owner cannot enable the key again; only an administrator can.',
    success: { status: 204 },
    errors: [400, 404, 409],
    tag: 'keys',
  })
  disable(@CurrentCaller() caller: Caller, @Param({ schema: UserKeyPath }) { id, key_id }: UserKeyPath): Promise<void> {
    return this.keys.disableForUser(caller, id, key_id);
  }

  @Post(':key_id/enable')
  @Requires('admin')
  @Operation({
    summary: 'Re-enable a virtual API key of a user',
    description:
      'Enables a key that an administrator disabled. If the owner has disabled it too, it stays disabled. A key that only its owner disabled is 409.',
    success: { status: 204 },
    errors: [400, 404, 409],
    tag: 'keys',
  })
  enable(@CurrentCaller() caller: Caller, @Param({ schema: UserKeyPath }) { id, key_id }: UserKeyPath): Promise<void> {
    return this.keys.enableForUser(caller, id, key_id);
  }
}

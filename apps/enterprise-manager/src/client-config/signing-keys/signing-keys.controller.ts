import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { KidPath, SigningKeyList } from './signing-keys.dto.ts';
import { SigningKeysService } from './signing-keys.service.ts';

/** The routes of the signing keys, for administrators. */
@Controller('v1/signing-keys')
export class SigningKeysController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List signing keys',
    description: 'Returns the keys of the key set with their states. Private keys are never returned.',
    success: { status: 200, schema: SigningKeyList },
    errors: [],
    tag: 'config',
  })
  list(): Promise<SigningKeyList> {
    return this.signingKeys.list();
  }

  @Post('rotate')
  @Requires('admin')
  @Operation({
    summary: 'Rotate signing keys',
    description:
      'The next key becomes the current key, which signs. The current key becomes a previous key, which only verifies, until everything that it signed has expired. A new next key is created. All replicas use the new keys within a second. The response is 409 until the next key has been in the key set for ten minutes, because clients may have cached a key set without it.',
    success: { status: 200, schema: SigningKeyList },
    errors: [409, 503],
    tag: 'config',
  })
  rotate(@CurrentCaller() caller: Caller): Promise<SigningKeyList> {
    return this.signingKeys.rotate(caller);
  }

  @Delete(':kid')
  @Requires('admin')
  @Operation({
    summary: 'Withdraw signing key',
    description:
      'Removes a key that may be compromised from the key set at once; everything that it signed becomes invalid. All replicas follow within a second, and cached key sets within five minutes. If the current key is withdrawn, the next key signs at once, even if it has just been created. A missing next key is created. Clients receive a new envelope with their next request.',
    success: { status: 204 },
    errors: [400, 404, 503],
    tag: 'config',
  })
  withdraw(@CurrentCaller() caller: Caller, @Param({ schema: KidPath }) { kid }: KidPath): Promise<void> {
    return this.signingKeys.withdraw(caller, kid);
  }
}

import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { KidPath, SigningKeyList } from './signing-keys.dto.ts';
import { SigningKeysService } from './signing-keys.service.ts';

/** The keys that sign configuration, over HTTP, for administrators. */
@Controller('v1/signing-keys')
export class SigningKeysController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List signing keys',
    description: 'The keys of the key set and their states; private halves are never shown.',
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
      'The next key signs from now on, the current one only verifies until everything that it signed is over, and a new next key is made. Replicas follow within a second. 409 while the next key has not been shown for ten minutes: clients may remember a key set without it.',
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
      'For a key that somebody else may have: it leaves the key set at once, and what it signed verifies no more. Replicas follow within a second, whoever remembers a key set within five minutes. In place of the current key the next one signs from now on, however short it was shown; a new next key is made where one is missing. Clients have a new envelope when they ask again.',
    success: { status: 204 },
    errors: [400, 404, 503],
    tag: 'config',
  })
  withdraw(@CurrentCaller() caller: Caller, @Param({ schema: KidPath }) { kid }: KidPath): Promise<void> {
    return this.signingKeys.withdraw(caller, kid);
  }
}

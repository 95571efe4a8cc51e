import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Post } from '@nestjs/common';
import { KeyEncryptionStatus } from './key-encryption.dto.ts';
import { KeyEncryptionService } from './key-encryption.service.ts';

/** HTTP operations of administrators on the key-encryption keys. */
@Controller('v1/key-encryption')
export class KeyEncryptionController {
  constructor(private readonly keyEncryption: KeyEncryptionService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get key encryption',
    description:
      'Returns the versions of the key-encryption key and the number of stored values that each version wraps.',
    success: { status: 200, schema: KeyEncryptionStatus },
    errors: [],
    tag: 'managed-secrets',
  })
  get(): Promise<KeyEncryptionStatus> {
    return this.keyEncryption.getStatus();
  }

  @Post('rewrap')
  @Requires('admin')
  @Operation({
    summary: 'Rewrap stored values',
    description:
      'Starts to rewrap every stored value with the current version. The response does not wait for the end. Each replica also rewraps at start, after a change of its keys, and once a minute.',
    success: { status: 202, schema: KeyEncryptionStatus },
    errors: [503],
    tag: 'managed-secrets',
  })
  rewrap(@CurrentCaller() caller: Caller): Promise<KeyEncryptionStatus> {
    return this.keyEncryption.rewrap(caller);
  }
}

import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Post } from '@nestjs/common';
import { KeyEncryptionStatus } from './key-encryption.dto.ts';
import { KeyEncryptionService } from './key-encryption.service.ts';

/** The key-encryption keys over HTTP, for administrators. */
@Controller('v1/key-encryption')
export class KeyEncryptionController {
  constructor(private readonly keys: KeyEncryptionService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get key encryption',
    description: 'Which versions of the key-encryption key there are, and how many stored values each of them wraps.',
    success: { status: 200, schema: KeyEncryptionStatus },
    errors: [],
    tag: 'managed-secrets',
  })
  get(): Promise<KeyEncryptionStatus> {
    return this.keys.status();
  }

  @Post('rewrap')
  @Requires('admin')
  @Operation({
    summary: 'Rewrap stored values',
    description:
      'Begins to bring every stored value under the current version. Every replica does so by itself at start, when its keys change, and once a minute; the answer does not wait for it.',
    success: { status: 202, schema: KeyEncryptionStatus },
    errors: [503],
    tag: 'managed-secrets',
  })
  rewrap(@CurrentCaller() caller: Caller): Promise<KeyEncryptionStatus> {
    return this.keys.rewrap(caller);
  }
}

import { Module } from '@nestjs/common';
import { TokenRefresh } from './token-refresh.ts';
import { TokenStore } from './token-store.ts';
import { TokenVault } from './token-vault.ts';
import { UpstreamTokensRepository } from './upstream-tokens.repository.ts';

/** The upstream tokens of users. */
@Module({
  providers: [TokenVault, TokenStore, TokenRefresh, UpstreamTokensRepository],
  exports: [TokenVault],
})
export class VaultModule {}

import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Module } from '@nestjs/common';
import { GatewayDirectory } from '../ports/gateway-directory.ts';
import { UpstreamProviders } from '../providers/upstream-providers.ts';
import { TokenRefresh } from './token-refresh.ts';
import { TokenStore } from './token-store.ts';
import { TokenSweep } from './token-sweep.ts';
import { TokenVault } from './token-vault.ts';
import { UpstreamTokensRepository } from './upstream-tokens.repository.ts';

/** The upstream tokens of users. */
@Module({
  providers: [
    TokenVault,
    TokenStore,
    TokenRefresh,
    UpstreamTokensRepository,
    {
      provide: TokenSweep,
      inject: [TokenVault, UpstreamTokensRepository, GatewayDirectory, UpstreamProviders, Clock, Log],
      useFactory: (
        vault: TokenVault,
        repository: UpstreamTokensRepository,
        directory: GatewayDirectory,
        clients: UpstreamProviders,
        clock: Clock,
        log: Log,
      ) => new TokenSweep({ vault, repository, directory, clients, clock, log }),
    },
  ],
  exports: [TokenVault],
})
export class VaultModule {}

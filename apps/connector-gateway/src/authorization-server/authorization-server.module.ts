import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BrowserModule } from '../browser/browser.module.ts';
import { CorporateProviders } from '../browser/corporate-providers.ts';
import { SETTINGS, type Settings } from '../config/config.ts';
import { PublicOrigin } from '../public-listener/public-origin.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { createDocumentFetch } from './clients/document-fetch.ts';
import { CorporateGrantsRepository } from './grants/corporate-grants.repository.ts';
import { SigningKeysRepository } from './keys/signing-keys.repository.ts';
import { PayloadsRepository } from './storage/payloads.repository.ts';
import { WriteTransaction } from './storage/write-transaction.ts';

/** The authorization server for MCP clients. */
@Module({
  imports: [BrowserModule],
  providers: [
    WriteTransaction,
    PayloadsRepository,
    SigningKeysRepository,
    CorporateGrantsRepository,
    {
      provide: AuthorizationServer,
      inject: [
        SETTINGS,
        DataSource,
        EnvelopeCipher,
        PayloadsRepository,
        WriteTransaction,
        SigningKeysRepository,
        CorporateGrantsRepository,
        CorporateProviders,
        TokenVerifier,
        PublicOrigin,
        Clock,
        Log,
      ],
      useFactory: (
        settings: Settings,
        dataSource: DataSource,
        cipher: EnvelopeCipher,
        payloads: PayloadsRepository,
        transaction: WriteTransaction,
        keys: SigningKeysRepository,
        corporateGrants: CorporateGrantsRepository,
        providers: CorporateProviders,
        verifier: TokenVerifier,
        origin: PublicOrigin,
        clock: Clock,
        log: Log,
      ) =>
        new AuthorizationServer({
          dataSource,
          cipher,
          payloads,
          transaction,
          keys,
          corporateGrants,
          providers,
          verifier,
          fetch: createDocumentFetch(),
          sharedKey: settings.CURSOR_KEY,
          publicUrl: () => origin.getUrl(),
          now: () => clock.now(),
          log,
        }),
    },
  ],
  exports: [AuthorizationServer],
})
export class AuthorizationServerModule {}

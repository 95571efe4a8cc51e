import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditModule } from '../audit/audit.module.ts';
import { BrowserModule } from '../browser/browser.module.ts';
import { BrowserSessions } from '../browser/browser-sessions.ts';
import { CorporateProviders } from '../browser/corporate-providers.ts';
import { SETTINGS, type Settings } from '../config/config.ts';
import { PublicOrigin } from '../public-listener/public-origin.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { createDocumentFetch } from './clients/document-fetch.ts';
import { RegistrationCountsRepository } from './clients/registration-counts.repository.ts';
import { CorporateGrantsRepository } from './grants/corporate-grants.repository.ts';
import { ConsentAudit } from './interactions/consent-audit.ts';
import { SigningKeysRepository } from './keys/signing-keys.repository.ts';
import { PayloadsRepository } from './storage/payloads.repository.ts';
import { WriteTransaction } from './storage/write-transaction.ts';

/** The authorization server for MCP clients. */
@Module({
  imports: [AuditModule, BrowserModule],
  providers: [
    WriteTransaction,
    PayloadsRepository,
    SigningKeysRepository,
    CorporateGrantsRepository,
    RegistrationCountsRepository,
    ConsentAudit,
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
        RegistrationCountsRepository,
        CorporateProviders,
        TokenVerifier,
        PublicOrigin,
        BrowserSessions,
        ConsentAudit,
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
        registrationCounts: RegistrationCountsRepository,
        providers: CorporateProviders,
        verifier: TokenVerifier,
        origin: PublicOrigin,
        sessions: BrowserSessions,
        audit: ConsentAudit,
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
          registrationCounts,
          providers,
          verifier,
          fetch: createDocumentFetch(),
          hasMetadataDocuments: settings.CLIENT_METADATA_DOCUMENTS,
          sessions,
          audit,
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

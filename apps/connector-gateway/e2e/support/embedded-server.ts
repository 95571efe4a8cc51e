import { AuditRepository } from '@gatehouse/audit/audit.repository';
import { AuditService } from '@gatehouse/audit/audit.service';
import { RefusalsService } from '@gatehouse/audit/refusals.service';
import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { migrate } from '@gatehouse/database/migrate';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import type { Log } from '@gatehouse/service-kit/log';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { AuthorizationServer } from '../../src/authorization-server/authorization-server.ts';
import { createDocumentFetch, type DocumentFetch } from '../../src/authorization-server/clients/document-fetch.ts';
import { RegistrationCountsRepository } from '../../src/authorization-server/clients/registration-counts.repository.ts';
import { CorporateGrantsRepository } from '../../src/authorization-server/grants/corporate-grants.repository.ts';
import { ConsentAudit } from '../../src/authorization-server/interactions/consent-audit.ts';
import { SigningKeysRepository } from '../../src/authorization-server/keys/signing-keys.repository.ts';
import { PayloadsRepository } from '../../src/authorization-server/storage/payloads.repository.ts';
import { WriteTransaction } from '../../src/authorization-server/storage/write-transaction.ts';
import { BrowserSessions } from '../../src/browser/browser-sessions.ts';
import { BrowserSessionsRepository } from '../../src/browser/browser-sessions.repository.ts';
import { CorporateProviders } from '../../src/browser/corporate-providers.ts';
import { CorporateSignIn, SIGN_IN_CALLBACK_PATH } from '../../src/browser/corporate-sign-in.ts';
import { findForwardedInteraction, INTERACTIONS_PATH } from '../../src/browser/forwarded-sign-ins.ts';
import type { Settings } from '../../src/config/config.ts';
import { migrations } from '../../src/database/migrations.ts';
import { PublicOrigin } from '../../src/public-listener/public-origin.ts';
import { openDatabase } from '../../src/open-database.ts';

/** One replica of the authorization server. */
export interface Replica {
  server: AuthorizationServer;
  /** Refuses the tokens that a gateway would refuse. */
  verifier: TokenVerifier;
  /** Address on which it listens itself. */
  address: string;
  payloads: PayloadsRepository;
  close(): Promise<void>;
}

/**
 * The authorization server on Postgres, with a corporate provider, without the rest of a gateway.
 * Replicas share one public address: that of the first one.
 */
export class EmbeddedServerWorld {
  readonly cipher = new EnvelopeCipher();
  /** Moves the clock of the replicas, in milliseconds. */
  clockOffset = 0;
  /** The fetch for documents of clients. */
  fetch: DocumentFetch = createDocumentFetch();
  hasMetadataDocuments = true;
  /** Messages and errors that the replicas logged. */
  readonly logged: { err?: unknown }[] = [];
  publicUrl = '';
  private readonly clock = new MovedClock(() => this.clockOffset);
  private readonly log: Log;
  private readonly replicas: Replica[] = [];

  private constructor(
    readonly corporate: TestIssuer,
    readonly database: TestDatabase,
  ) {
    const record = (entry: { err?: unknown }) => this.logged.push(entry);
    this.log = { warn: record, error: record } as unknown as Log;
    this.cipher.setKeys(new Map([[1, { version: 1, key: randomBytes(32) }]]));
  }

  static async start(): Promise<EmbeddedServerWorld> {
    const database = await createDatabase({
      name: 'connector-gateway',
      prepare: (ownerUrl) => migrate(ownerUrl, migrations),
    });
    return new EmbeddedServerWorld(await startIssuer(), database);
  }

  /** Starts one more replica. */
  async replica(): Promise<Replica> {
    const { url, ownerUrl } = this.database;
    const opened = await openDatabase({
      AUDIT_RETENTION_DAYS: 400,
      DATABASE_URL: url,
      DATABASE_OWNER_URL: ownerUrl,
      GATEHOUSE_HOME: '/nonexistent',
    });
    const dataSource = opened.value;
    const verifier = new TokenVerifier({
      issuers: [{ id: 'corporate', issuer: this.corporate.issuer }],
      audience: 'gatehouse',
      fetch: (input, init) => fetch(input, init),
    });
    const tables = new SealedTables(dataSource);
    const transaction = new WriteTransaction(dataSource);
    const payloads = new PayloadsRepository(dataSource, this.cipher, transaction, tables);
    const providers = this.createProviders();
    const server = new AuthorizationServer({
      dataSource,
      transaction,
      payloads,
      keys: new SigningKeysRepository(dataSource, this.cipher, tables),
      corporateGrants: new CorporateGrantsRepository(dataSource, this.cipher, transaction, tables),
      registrationCounts: new RegistrationCountsRepository(dataSource),
      cipher: this.cipher,
      providers,
      sessions: this.createSessions(dataSource, providers, verifier),
      audit: this.createAudit(dataSource, transaction),
      verifier,
      fetch: (input, init) => this.fetch(input, init),
      hasMetadataDocuments: this.hasMetadataDocuments,
      sharedKey: 'k'.repeat(32),
      publicUrl: () => this.publicUrl,
      now: () => this.clock.now(),
      log: this.log,
    });
    const http = createServer((request, response) => {
      if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true) {
        const resource = `${this.publicUrl}/mcp`;
        response.end(JSON.stringify({ resource, authorization_servers: [this.publicUrl] }));
      } else if (request.url?.startsWith(SIGN_IN_CALLBACK_PATH) === true) {
        const { search, searchParams } = new URL(request.url, this.publicUrl);
        const uid = findForwardedInteraction(searchParams.get('state'));
        response.writeHead(303, { location: `${INTERACTIONS_PATH}/${uid}/corporate${search}` }).end();
      } else void server.serve(request, response);
    });
    const address = await listen(http);
    if (this.publicUrl === '') {
      this.publicUrl = address;
      this.corporate.authorization.clients.push({
        clientId: 'gateway',
        clientSecret: 'secret-of-the-gateway',
        redirectUris: [`${address}${SIGN_IN_CALLBACK_PATH}`],
      });
    }
    const close = async () => {
      http.closeAllConnections();
      await once(http.close(), 'close');
      await server.onApplicationShutdown();
      await opened.close();
    };
    const replica = { server, payloads, verifier, address, close };
    this.replicas.push(replica);
    return replica;
  }

  private createProviders(): CorporateProviders {
    return new CorporateProviders({
      ISSUERS: [{ id: 'corporate', issuer: this.corporate.issuer }],
      SIGN_IN_CLIENTS: [
        { issuer: 'corporate', client_id: 'gateway', client_secret: 'secret-of-the-gateway', scope: 'openid email' },
      ],
    } as unknown as Settings);
  }

  private createSessions(
    dataSource: DataSource,
    providers: CorporateProviders,
    verifier: TokenVerifier,
  ): BrowserSessions {
    const settings = { CURSOR_KEY: 'k'.repeat(32) } as Settings;
    const origin = new PublicOrigin();
    origin.use(() => this.publicUrl);
    const signIn = new CorporateSignIn(settings, providers, verifier, origin, this.clock, this.log);
    return new BrowserSessions(settings, new BrowserSessionsRepository(dataSource, this.clock), signIn, origin);
  }

  private createAudit(dataSource: DataSource, transaction: WriteTransaction): ConsentAudit {
    const repository = new AuditRepository(dataSource);
    const cursors = new CursorCodec('k'.repeat(32));
    const audit = new AuditService(repository, cursors, this.clock, []);
    const refusals = new RefusalsService(repository, dataSource, this.clock, this.log);
    return new ConsentAudit(audit, refusals, transaction);
  }

  /** The outcome and the user of each audit event, oldest first. */
  async listAudit(): Promise<string[]> {
    const events = await this.sql<{ outcome: string; subject: string }>(
      'SELECT outcome, subject FROM audit_events ORDER BY occurred_at, id',
    );
    return events.map(({ outcome, subject }) => `${outcome} ${subject}`);
  }

  /** The rows of a statement in the database of the replicas. */
  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) await replica.close().catch(() => undefined);
    await this.corporate.close();
    await this.database.drop();
  }
}

class MovedClock extends Clock {
  constructor(private readonly offset: () => number) {
    super();
  }

  override now(): Date {
    return new Date(Date.now() + this.offset());
  }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { type KeyRing, parseKeyRing } from '@gatehouse/envelope/key-ring';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import { createProvider } from '@gatehouse/oauth-client/provider';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import { Clock } from '@gatehouse/service-kit/clock';
import { createLog } from '@gatehouse/service-kit/log';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { migrations } from '../../src/database/migrations.ts';
import type { TokenClient } from '../../src/vault/token-client.ts';
import type { TokenOrigin, TokenOwner } from '../../src/vault/token-owner.ts';
import { TokenRefresh } from '../../src/vault/token-refresh.ts';
import { TokenStore } from '../../src/vault/token-store.ts';
import { TokenVault } from '../../src/vault/token-vault.ts';
import { UpstreamTokensRepository } from '../../src/vault/upstream-tokens.repository.ts';
import { ClockAhead } from './clock-ahead.ts';
import { TokenProvider } from './token-provider.ts';

/** The endpoint for which the tokens of a scene are. */
export const UPSTREAM = 'https://upstream.test';

/** The vault of one replica. */
export interface VaultReplica {
  readonly vault: TokenVault;
  readonly store: TokenStore;
  readonly repository: UpstreamTokensRepository;
  readonly tables: SealedTables;
  readonly cipher: EnvelopeCipher;
  readonly dataSource: DataSource;
  readonly close: () => Promise<void>;
}

/** Opens the vault of a database. */
export async function openVault(
  url: string,
  keyRing: KeyRing,
  clock = new Clock(),
  write: (line: string) => void = () => undefined,
): Promise<VaultReplica> {
  const dataSource = createDataSource({ url, entities: [], applicationName: 'vault-test' });
  await dataSource.initialize();
  const cipher = new EnvelopeCipher();
  cipher.setKeys(keyRing);
  const tables = new SealedTables(dataSource);
  const log = createLog({ name: 'vault', level: 'debug', environment: 'test', destination: { write } });
  const repository = new UpstreamTokensRepository(dataSource);
  const store = new TokenStore(repository, cipher, tables, log);
  const refreshing = new TokenRefresh(store, dataSource, clock, log);
  const close = async () => {
    await refreshing.onApplicationShutdown();
    await dataSource.destroy();
  };
  return {
    vault: new TokenVault(store, repository, refreshing, clock, log),
    store,
    repository,
    tables,
    cipher,
    dataSource,
    close,
  };
}

/** A database, a provider and replicas of the vault, with a clock that tests move. */
export class VaultScene {
  /** Milliseconds that the clock is ahead. */
  aheadMs = 0;
  readonly clock = new ClockAhead(() => this.aheadMs);
  readonly logLines: string[] = [];
  readonly keyRing = parseKeyRing(`1:${randomBytes(32).toString('base64')}`);
  private readonly replicas: VaultReplica[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly provider: TokenProvider,
  ) {}

  static async start(): Promise<VaultScene> {
    const database = await createDatabase({
      name: 'connector-gateway',
      prepare: (ownerUrl) => migrate(ownerUrl, migrations),
    });
    return new VaultScene(database, await TokenProvider.start());
  }

  /** Starts the vault of another replica. */
  async replica(): Promise<VaultReplica> {
    const write = (line: string) => void this.logLines.push(line);
    const replica = await openVault(this.database.url, this.keyRing, this.clock, write);
    this.replicas.push(replica);
    return replica;
  }

  /** An owner of tokens for the connector of the scene. */
  owner(subject: string): TokenOwner {
    return { issuer: 'https://corporate.test', subject, connectorId: 'connector-1' };
  }

  /** The sign-in of the scene. */
  get origin(): TokenOrigin {
    return { providerIssuer: this.provider.issuer, clientId: 'gatehouse', upstreamOrigin: UPSTREAM };
  }

  /** The gateway as a client of the provider. */
  openClient(clientId = 'gatehouse'): Promise<TokenClient> {
    const http = {
      fetch: (url: string, init: RequestInit) => fetch(url, init),
      timeoutS: 5,
      allowsHttp: true,
    };
    return Promise.resolve({
      provider: createProvider(this.provider.metadata, { clientId }, http),
      resource: undefined,
    });
  }

  /** Stores tokens of a new sign-in. */
  async connect({ vault }: VaultReplica, subject: string, more: Partial<TokenSet> = {}): Promise<TokenSet> {
    const issued = this.provider.issue();
    const tokens = { ...issued, expiresAt: this.clock.now().getTime() + 3_600_000, ...more };
    await vault.save(this.owner(subject), tokens, this.origin);
    return tokens;
  }

  /** The request of a call for the access token of a user. */
  request(subject: string, refused?: string) {
    const openClient = () => this.openClient();
    return { owner: this.owner(subject), upstreamOrigin: UPSTREAM, openClient, refused };
  }

  async close(): Promise<void> {
    for (const { close } of this.replicas) await close();
    await this.provider.close();
    await this.database.drop();
  }
}

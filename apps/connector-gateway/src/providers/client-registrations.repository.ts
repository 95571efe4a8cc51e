import { statement } from '@gatehouse/database/statement';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import type { ProviderClient } from '@gatehouse/oauth-client/provider';
import type { RegistrationStore } from '@gatehouse/oauth-client/registration';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';

const FIND = statement<SealedValue>(
  'SELECT key_version, wrapped_key, ciphertext FROM client_registrations WHERE id = $1',
);
const INSERT = statement<{ id: string }>(
  `INSERT INTO client_registrations (id, key_version, wrapped_key, ciphertext, created_at)
   VALUES ($1, $2, $3, $4, now()) ON CONFLICT (id) DO NOTHING RETURNING id`,
);
const DELETE = statement<{ id: string }>('DELETE FROM client_registrations WHERE id = $1 RETURNING id');

/** Binds a sealed registration to its row. */
const getContext = (id: string): string => `client_registration:${id}`;

const createId = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Stores the dynamic registrations of this gateway for all replicas. */
@Injectable()
export class ClientRegistrationsRepository implements RegistrationStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: EnvelopeCipher,
    tables: SealedTables,
  ) {
    tables.register({
      table: 'client_registrations',
      idType: 'text',
      contextColumns: [],
      getContext: ({ id }) => getContext(id),
    });
  }

  async find(key: string): Promise<ProviderClient | undefined> {
    // A registration that could not be stored would be made again and again.
    this.cipher.requireKey();
    const id = createId(key);
    const row = await FIND.row(this.dataSource.manager, [id]);
    if (row === undefined) return undefined;
    return JSON.parse(Buffer.from(this.cipher.open(row, getContext(id))).toString()) as ProviderClient;
  }

  async save(key: string, client: ProviderClient): Promise<ProviderClient> {
    const id = createId(key);
    const { key_version, wrapped_key, ciphertext } = this.cipher.seal(
      Buffer.from(JSON.stringify(client)),
      getContext(id),
    );
    const stored = await INSERT.row(this.dataSource.manager, [id, key_version, wrapped_key, ciphertext]);
    return stored === undefined ? ((await this.find(key)) ?? client) : client;
  }

  /** Forgets a registration that the server does not know any more. */
  async delete(key: string): Promise<void> {
    await DELETE.row(this.dataSource.manager, [createId(key)]);
  }
}

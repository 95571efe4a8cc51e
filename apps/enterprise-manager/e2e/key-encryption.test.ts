import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeSecret, makeUser, reveal } from './secret-scene.ts';
import { readDatabaseState } from './state.ts';

interface Status {
  current_version?: number;
  versions: { version: number; state: string; values: number }[];
  rewrapping: boolean;
}

const createKey = () => randomBytes(32).toString('base64');
const readStatus = async (manager: TestManager) =>
  (await manager.client.call<Status>('GET /v1/key-encryption', { token: manager.tokens.auditor })).body;

describe('a deployment without a key-encryption key', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ environment: { KEY_ENCRYPTION_KEYS: '' } });
  }, 60_000);
  afterAll(() => manager.close());

  it('refuses new secrets with 503, stores nothing and stays ready', async () => {
    const before = await readDatabaseState(manager);
    const { admin } = manager.tokens;
    const created = await manager.client.call<{ error: string }>('POST /v1/managed-secrets', {
      token: admin,
      body: { name: 'n', value: 'unsealed' },
    });
    expect([created.status, created.body.error]).toEqual([503, expect.stringContaining('KEY_ENCRYPTION_KEYS')]);
    expect(created.headers.get('retry-after')).not.toBeNull();
    expect((await manager.client.call('POST /v1/key-encryption/rewrap', { token: admin })).status).toBe(503);
    expect(await readStatus(manager)).toEqual({ versions: [], rewrapping: false });
    expect((await manager.client.call('GET /v1/managed-secrets', { token: admin })).status).toBe(200);
    expect((await fetch(`${manager.baseUrl}/readyz`)).status).toBe(200);
    expect(await readDatabaseState(manager)).toBe(before);
  });
});

describe('stored values', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const makeUsedSecret = async (value: string) => {
    const { id } = await makeSecret(manager, value);
    await makeUser(manager, id);
    return id;
  };
  const revealRaw = async (id: string) => {
    const response = await fetch(`${manager.baseUrl}/gateway/v1/gateways/local/secrets/${id}/reveal`, {
      method: 'POST',
      headers: { authorization: `Bearer ${manager.tokens.gateway}` },
    });
    return { status: response.status, text: await response.text() };
  };

  it.each([
    ['the first byte of the wrapped key', 'wrapped_key = set_byte(wrapped_key, 0, get_byte(wrapped_key, 0) # 1)'],
    ['the last byte of the wrapped key', 'wrapped_key = set_byte(wrapped_key, 59, get_byte(wrapped_key, 59) # 128)'],
    ['a nonce', 'ciphertext = set_byte(ciphertext, 3, get_byte(ciphertext, 3) # 1)'],
    ['a byte of the value', 'ciphertext = set_byte(ciphertext, 14, get_byte(ciphertext, 14) # 1)'],
    [
      'a tag',
      'ciphertext = set_byte(ciphertext, length(ciphertext) - 1, get_byte(ciphertext, length(ciphertext) - 1) # 1)',
    ],
    ['the length of the value', 'ciphertext = substring(ciphertext FOR length(ciphertext) - 1)'],
    ['everything of the value', "ciphertext = ''"],
    ['the version of the secret', 'version = version + 1'],
    ['the version of the key', 'key_version = key_version + 1'],
    ['the id', "id = '01920000-0000-7000-8000-000000000001'"],
  ])('are not returned after a change of %s in the database', async (what, change) => {
    const value = `tamper canary ${randomBytes(8).toString('hex')}`;
    const id = await makeUsedSecret(value);
    if (what === 'the id') {
      await manager.sql('ALTER TABLE connector_secrets DROP CONSTRAINT connector_secrets_secret_fkey');
      await manager.sql(
        `UPDATE connector_secrets SET secret_id = '01920000-0000-7000-8000-000000000001' WHERE secret_id = $1`,
        [id],
      );
    }
    await manager.sql(`UPDATE managed_secrets SET ${change} WHERE id = $1`, [id]);
    const response = await revealRaw(what === 'the id' ? '01920000-0000-7000-8000-000000000001' : id);
    expect(response.status).toBe(what === 'the version of the key' ? 503 : 500);
    expect(response.text).not.toContain('canary');
    if (response.status === 503) expect(response.text).toContain('version 2 of the key-encryption key');
    const lines = await manager.sql(
      "SELECT 1 FROM audit_events WHERE operation = 'Reveal managed secret' AND object_id = $1",
      [id],
    );
    expect(lines).toEqual([]);
  });

  it('are not returned in the row of another secret', async () => {
    const [mine, other] = [await makeUsedSecret('swap canary one'), await makeUsedSecret('swap canary two')];
    await manager.sql(
      `UPDATE managed_secrets a SET ciphertext = b.ciphertext, wrapped_key = b.wrapped_key, key_version = b.key_version
       FROM managed_secrets b WHERE (a.id = $1 AND b.id = $2) OR (a.id = $2 AND b.id = $1)`,
      [mine, other],
    );
    for (const id of [mine, other])
      expect(await revealRaw(id)).toEqual({ status: 500, text: expect.not.stringContaining('canary') });
  });

  it('are not returned from an older copy of the row', async () => {
    const id = await makeUsedSecret('replay canary');
    const [old] = await manager.sql<{ wrapped_key: Buffer; ciphertext: Buffer }>(
      'SELECT wrapped_key, ciphertext FROM managed_secrets WHERE id = $1',
      [id],
    );
    await manager.client.call('PUT /v1/managed-secrets/{id}', {
      token: manager.tokens.admin,
      path: { id },
      body: { value: 'the-next-value' },
    });
    await manager.sql('UPDATE managed_secrets SET wrapped_key = $2, ciphertext = $3 WHERE id = $1', [
      id,
      old?.wrapped_key,
      old?.ciphertext,
    ]);
    expect(await revealRaw(id)).toEqual({ status: 500, text: expect.not.stringContaining('canary') });
  });
});

describe('a folder with key-encryption keys', () => {
  let manager: TestManager;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'));
  const write = (version: number, key: string) => writeFileSync(join(folder, String(version)), `${key}\n`);
  const [first, second] = [createKey(), createKey()];
  beforeAll(async () => {
    write(1, first);
    manager = await startManager({ environment: { KEY_ENCRYPTION_KEYS: '', KEY_ENCRYPTION_KEYS_DIR: folder } });
  }, 60_000);
  afterAll(async () => {
    await manager.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is watched, so that a new version becomes current and wraps all values', async () => {
    // Other tables contain sealed values too, for example signing keys.
    const [other] = (await readStatus(manager)).versions;
    const all = 120 + (other?.values ?? 0);
    const ids: string[] = [];
    for (let n = 0; n < 120; n += 1) ids.push((await makeSecret(manager, `folder ${n}`)).id);
    await makeUser(manager, ids[0] ?? '');
    expect((await readStatus(manager)).versions).toEqual([{ version: 1, state: 'current', values: all }]);
    const before = await manager.sql('SELECT id, ciphertext, version, updated_at FROM managed_secrets ORDER BY id');
    write(2, second);
    await eventually(async () => {
      const { versions } = await readStatus(manager);
      return versions.find(({ version }) => version === 2)?.values === all;
    }, 'every value is under version 2');
    expect(await readStatus(manager)).toMatchObject({
      current_version: 2,
      versions: [
        { version: 1, state: 'opens', values: 0 },
        { version: 2, state: 'current', values: all },
      ],
    });
    expect(await manager.sql('SELECT id, ciphertext, version, updated_at FROM managed_secrets ORDER BY id')).toEqual(
      before,
    );
    expect((await reveal(manager, ids[0] ?? '')).body.value).toBe('folder 0');
    expect((await manager.client.call('POST /v1/key-encryption/rewrap', { token: manager.tokens.admin })).status).toBe(
      202,
    );
  }, 60_000);

  it('is not loaded if a file is invalid, and the previous keys stay in use', async () => {
    writeFileSync(join(folder, '3'), 'no key');
    await sleep(2_500);
    expect((await readStatus(manager)).current_version).toBe(2);
    await makeSecret(manager);
    rmSync(join(folder, '3'));
  }, 30_000);

  it('makes the replica not ready if it has another key for a known version, which is not used', async () => {
    const { id } = await makeSecret(manager, 'sealed with the true key');
    await makeUser(manager, id);
    write(2, createKey());
    await eventually(
      async () => (await readStatus(manager)).versions.some(({ state }) => state === 'refused'),
      'the other key is refused',
    );
    const response = await reveal(manager, id);
    expect([response.status, response.body.error]).toEqual([503, expect.stringContaining('version 2')]);
    const ready = await fetch(`${manager.baseUrl}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('key-encryption')]);
    write(2, second);
    await eventually(async () => (await reveal(manager, id)).status === 200, 'the true key opens');
    await eventually(
      async () => (await fetch(`${manager.baseUrl}/readyz`)).status === 200,
      'the service is ready again',
    );
  }, 60_000);

  it('makes the replica not ready if it lacks a needed version, and reads of its values return 503', async () => {
    const { id } = await makeSecret(manager, 'needs version 2');
    await makeUser(manager, id);
    rmSync(join(folder, '2'));
    await eventually(async () => (await reveal(manager, id)).status === 503, 'version 2 is gone');
    expect((await reveal(manager, id)).body.error).toBe(
      'version 2 of the key-encryption key is not configured, so a value that it wraps cannot be read; add it to the configuration',
    );
    expect((await readStatus(manager)).versions).toContainEqual(
      expect.objectContaining({ version: 2, state: 'missing' }),
    );
    expect((await fetch(`${manager.baseUrl}/readyz`)).status).toBe(503);
    write(2, second);
    await eventually(async () => (await reveal(manager, id)).status === 200, 'version 2 is back');
  }, 60_000);
});

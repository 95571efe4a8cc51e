import { generateKeyPairSync, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { DamagedFileError, type HomePaths, parseObject, readOrCreate, replaceFile } from './home.ts';
import type { IdentityProviderState } from './identity-provider/config.ts';
import type { Person, ServiceClient } from './identity-provider/directory.ts';
import { createEmail, INITIAL_USERS, SERVICE_CLIENTS } from './people.ts';
import { secretFiles } from './secret-files.ts';

/** Creates the missing secrets and users of a home. Existing ones stay. */
export function prepareSecrets(paths: HomePaths, issuer: string): Person[] {
  const files = secretFiles(paths);
  for (const service of ['enterprise-manager', 'connector-gateway', 'ai-gateway-mgmt'])
    readOrCreate(files.cursorKey(service), token);
  const localSecret = readOrCreate(files.localSecret, token);
  for (const service of ['enterprise-manager', 'connector-gateway'])
    readOrCreate(files.keyEncryptionKeys(service), () => `1:${randomBytes(32).toString('base64')}\n`);
  const state = readState(paths, localSecret);
  for (const { client_id, secret } of state.clients) readOrCreate(files.clientSecret(client_id), () => secret);
  const createCredentials = (): string => json({ users: INITIAL_USERS.map(({ name }) => credentials(name)) });
  requireLists(paths.credentialsFile, readOrCreate(paths.credentialsFile, createCredentials), ['users']);
  replaceFile(files.seedUsers, json(state.people.map((person) => seedUser(person, issuer))));
  return state.people;
}

function readState(paths: HomePaths, localSecret: string): IdentityProviderState {
  const file = join(paths.identityProvider, 'state.json');
  const text = readOrCreate(file, () => {
    const clients = SERVICE_CLIENTS.map(newClient);
    const state: IdentityProviderState = {
      people: createUsers(),
      clients,
      keys: [signingKey()],
      cookie_keys: [token()],
      local_secret: localSecret,
    };
    return json(state);
  });
  const state = requireLists(file, text, ['people', 'clients', 'keys', 'cookie_keys']) as IdentityProviderState;
  // A home of an earlier version gets the missing service clients.
  const missing = SERVICE_CLIENTS.filter((id) => !state.clients.some(({ client_id }) => client_id === id));
  if (missing.length === 0) return state;
  const completed = { ...state, clients: [...state.clients, ...missing.map(newClient)] };
  replaceFile(file, json(completed));
  return completed;
}

const newClient = (client_id: string): ServiceClient => ({
  client_id,
  subject: randomUUID(),
  roles: ['gateway'],
  secret: token(),
});

/** Parses a file and checks that these lists are not empty. @throws {DamagedFileError} */
function requireLists(file: string, text: string, names: readonly string[]): unknown {
  const value = parseObject(file, text);
  for (const name of names) {
    const list = (value as Record<string, unknown>)[name];
    if (!Array.isArray(list) || list.length === 0) throw new DamagedFileError(file, undefined);
  }
  return value;
}

function createUsers(): Person[] {
  return INITIAL_USERS.map(({ name, display_name, roles }) => ({
    name,
    email: createEmail(name),
    display_name,
    subject: randomUUID(),
    roles: [...roles],
    groups: [],
  }));
}

/** Converts a user of the identity provider to a directory entry of the enterprise manager. */
function seedUser({ name, email, display_name, subject }: Person, issuer: string) {
  return { issuer, subject, user_name: name, email, display_name };
}

function credentials(name: string): { name: string; email: string; password: string } {
  return { name, email: createEmail(name), password: password() };
}

/** Creates a password of sixteen characters (79 bits) without similar characters. */
function password(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const pick = (): string => alphabet[randomInt(alphabet.length)] ?? '';
  return Array.from({ length: 4 }, () => Array.from({ length: 4 }, pick).join('')).join('-');
}

/** Creates a private ES256 key as a JWK. */
function signingKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty = 'EC', ...key } = privateKey.export({ format: 'jwk' });
  return { kty, ...key, kid: randomUUID(), use: 'sig', alg: 'ES256' };
}

const token = (): string => randomBytes(32).toString('base64url');
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { readFile } from 'node:fs/promises';
import {
  CredentialError,
  requireSendable,
  SECRET_UNAVAILABLE,
  type SecretPlace,
  type Secrets,
} from '../../mcp/ports/upstream-secrets.ts';
import type { Backend } from './backends-schema.ts';

/** Age at which a file is read again, so that a new secret needs no restart. */
const MAX_AGE_MS = 5_000;
const MAX_BYTES = 65_536;

/** The place of a secret: a file, or an environment variable. */
export interface SecretSource {
  kind: 'file' | 'variable';
  /** The path of the file, or the name of the variable. */
  name: string;
}

/** A secret cannot be read. The message has no subject and no value. */
export class SecretSourceError extends GatehouseError {
  override readonly code = 'secret_source';
}

/** Reads an environment variable; undefined if it is not set. */
export type VariableReader = (name: string) => string | undefined;

/** The source of the secret of a backend, and the field that names it; undefined without one. */
export function findSecretSource({ auth }: Backend): (SecretSource & { field: string }) | undefined {
  if (auth.type === 'none') return undefined;
  const part = SECRET_FIELDS[auth.type];
  const { [`${part}_env`]: variable, [`${part}_file`]: path } = auth as Record<string, string | undefined>;
  if (path !== undefined) return { kind: 'file', name: path, field: `${part}_file` };
  if (variable === undefined) return undefined;
  return { kind: 'variable', name: variable, field: `${part}_env` };
}

/** The beginning of the fields that name a secret. */
const SECRET_FIELDS = { bearer: 'token', header: 'value', sign_in: 'client_secret' } as const;

/** The id of a secret in the connectors of this gateway. */
export const getSecretId = ({ kind, name }: SecretSource): string => `${kind} ${name}`;

/**
 * Reads a secret. A variable `NAME` that is not set can be in the file that `NAME_FILE` names.
 * @throws SecretSourceError
 */
export async function readSecret({ kind, name }: SecretSource, readVariable: VariableReader): Promise<string> {
  if (kind === 'file') return readSecretFile(name);
  const value = readVariable(name);
  if (value !== undefined && value !== '') return value;
  const file = readVariable(`${name}_FILE`);
  if (file !== undefined && file !== '') return readSecretFile(file);
  throw new SecretSourceError(`names the variable ${name}, which is not set; set ${name} or ${name}_FILE`);
}

async function readSecretFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const { code = 'unreadable' } = cause as NodeJS.ErrnoException;
    throw new SecretSourceError(`names the file ${path}, which cannot be read (${code})`, { cause });
  });
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new SecretSourceError(`names the file ${path}, which is empty`);
  if (text.length > MAX_BYTES) throw new SecretSourceError(`names the file ${path}, which is larger than 64 KiB`);
  return secret;
}

/** The secrets of backends, in memory for 5 s. */
export class BackendSecrets implements Secrets {
  private sources: ReadonlyMap<string, SecretSource> = new Map();
  private readonly known = new Map<string, { value: string; readAt: number }>();

  constructor(
    private readonly readVariable: VariableReader,
    private readonly now: () => number,
  ) {}

  /** Takes over the sources by id, and forgets all others. */
  replaceSources(sources: ReadonlyMap<string, SecretSource>): void {
    this.sources = sources;
    for (const id of this.known.keys()) if (!sources.has(id)) this.known.delete(id);
  }

  async get(place: SecretPlace): Promise<string> {
    const id = getId(place);
    const known = this.known.get(id);
    if (known !== undefined && this.now() - known.readAt < MAX_AGE_MS) return known.value;
    return this.read(id);
  }

  async findNewerThan(place: SecretPlace, refused: string): Promise<string | undefined> {
    const value = await this.read(getId(place)).catch(() => undefined);
    return value === refused ? undefined : value;
  }

  private async read(id: string): Promise<string> {
    const source = this.sources.get(id);
    if (source === undefined) throw new CredentialError(SECRET_UNAVAILABLE);
    try {
      const value = requireSendable(await readSecret(source, this.readVariable));
      this.known.set(id, { value, readAt: this.now() });
      return value;
    } catch (cause) {
      this.known.delete(id);
      if (cause instanceof CredentialError) throw cause;
      throw new CredentialError(SECRET_UNAVAILABLE, { cause });
    }
  }
}

const getId = (place: SecretPlace): string => (place.kind === 'managed' ? place.id : '');

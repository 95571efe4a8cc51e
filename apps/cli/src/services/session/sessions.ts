import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import { makePrivateFolder } from '@gatehouse/local-files/private-folder';
import { withProcessLock } from '@gatehouse/local-files/process-lock';
import { type Keyring, systemKeyring } from '@gatehouse/secrets/keyring';
import { managerAddress } from './address.ts';
import { seal, unseal } from './sealed-file.ts';
import { UsageError, CommandFailedError } from '../../errors/cli-error.ts';

/**
 * A user's session with one enterprise manager. It is stored as one secret, so that its parts
 * cannot be replaced one by one.
 */
export interface Session {
  /** Address of the enterprise manager, as `managerAddress` gives it. */
  readonly manager: string;
  /** OpenID provider that issued the tokens, and the client id of this CLI there. */
  readonly issuer: string;
  readonly client_id: string;
  /** The user, as the manager identified the caller. */
  readonly person?: { readonly issuer: string; readonly subject: string };
  /** Resource indicator (RFC 8707) of the access token; absent where the manager publishes none. */
  readonly resource?: string;
  /** Absent when the provider issued none: the session then ends with its access token. */
  readonly refresh_token?: string;
  /** Empty when the keyring has no room for it. */
  readonly access_token: string;
  /** Expiry of the access token, in milliseconds since the epoch. */
  readonly access_expires_at: number;
}

/** The storage of a session's secret. */
export type SessionStorage = 'keyring' | 'file';

/**
 * The file of a session: the storage of its secret, and the secret itself for the storage `file`.
 */
interface SessionFile {
  readonly manager: string;
  readonly kept_in: SessionStorage;
  readonly sealed?: string;
}

/**
 * The sessions of a home, one for each enterprise manager: `sessions/<hash of its address>.json`,
 * readable by their owner only.
 */
export class Sessions {
  readonly #home: string;
  readonly #folder: string;
  readonly #place: 'keyring' | 'file' | undefined;
  readonly #keyring: () => Promise<Keyring>;

  /**
   * @param place the storage of secrets: `keyring`, `file`, or undefined for the keyring when one
   * is available
   * @throws UsageError for any other value
   */
  constructor(home: string, place: string | undefined, keyring: () => Promise<Keyring> = systemKeyring) {
    if (place !== undefined && place !== 'keyring' && place !== 'file') {
      throw new UsageError(`GATEHOUSE_SESSION_STORE must be keyring or file, not ${JSON.stringify(place)}`);
    }
    this.#home = home;
    this.#folder = join(home, 'sessions');
    this.#place = place;
    this.#keyring = keyring;
  }

  /**
   * Reads the session with a manager; undefined without one.
   * @throws CliError when the stored session cannot be read
   */
  async read(manager: string): Promise<Session | undefined> {
    const text = readIfExists(this.#file(manager));
    if (text === undefined) return undefined;
    try {
      const { kept_in: keptIn, sealed } = JSON.parse(text) as SessionFile;
      const secret =
        keptIn === 'keyring'
          ? (await this.#keyring()).read(getAccountName(manager, this.#home))
          : unseal(this.#folder, sealed ?? '', getSealingContext(manager));
      const session = parseSession(secret ?? '');
      // The keyring finds an entry by its name only, so the manager is compared here.
      if (session.manager === manager) return session;
      throw new Error(`it belongs to ${session.manager}`);
    } catch (cause) {
      throw new CommandFailedError(`The stored session of ${manager} cannot be read`, [loginCommand(manager)], cause);
    }
  }

  /**
   * Stores a session instead of the previous one, and makes its manager the last one.
   * @returns the storage of its secret
   */
  async keep(session: Session): Promise<SessionStorage> {
    this.#makeFolder();
    const keptIn = this.#place !== 'file' && (await this.#intoKeyring(session)) ? 'keyring' : 'file';
    const { manager } = session;
    const file: SessionFile =
      keptIn === 'keyring'
        ? { manager, kept_in: keptIn }
        : { manager, kept_in: keptIn, sealed: seal(this.#folder, JSON.stringify(session), getSealingContext(manager)) };
    replaceFile(this.#file(manager), `${JSON.stringify(file)}\n`);
    return keptIn;
  }

  /** Deletes the session with a manager from every storage. */
  async forget(manager: string): Promise<void> {
    const text = readIfExists(this.#file(manager));
    rmSync(this.#file(manager), { force: true });
    if (this.last() === manager) rmSync(this.#lastFile, { force: true });
    if (text?.includes('"kept_in":"keyring"') !== true) return;
    try {
      (await this.#keyring()).remove(getAccountName(manager, this.#home));
    } catch (cause) {
      throw new CommandFailedError(`The keyring did not delete the session with ${manager}`, [], cause);
    }
  }

  /**
   * The manager of the last sign-in.
   * @throws UsageError when its file does not hold an address
   */
  last(): string | undefined {
    const address = readIfExists(this.#lastFile)?.trim() || undefined;
    return address === undefined ? undefined : managerAddress(address, this.#lastFile);
  }

  /** Makes a manager the last one. */
  makeLast(manager: string): void {
    this.#makeFolder();
    replaceFile(this.#lastFile, `${manager}\n`);
  }

  /** Runs `work` while no other command changes the session with this manager. */
  alone<T>(manager: string, work: () => Promise<T>): Promise<T> {
    this.#makeFolder();
    return withProcessLock(join(this.#folder, `${getFileName(manager)}.lock`), work);
  }

  async #intoKeyring(session: Session): Promise<boolean> {
    const account = getAccountName(session.manager, this.#home);
    try {
      const keyring = await this.#keyring();
      try {
        keyring.write(account, JSON.stringify(session));
      } catch {
        // Windows stores at most 2,560 bytes, so the refresh token has priority.
        keyring.write(account, JSON.stringify({ ...session, access_token: '', access_expires_at: 0 }));
      }
      return true;
    } catch (cause) {
      if (this.#place !== 'keyring') return false;
      throw new CommandFailedError(
        'No keyring is available, but GATEHOUSE_SESSION_STORE is keyring',
        ['GATEHOUSE_SESSION_STORE=file   stores the session in an encrypted file'],
        cause,
      );
    }
  }

  /** @throws CliError when the folder does not belong to this user */
  #makeFolder(): void {
    try {
      makePrivateFolder(this.#folder);
    } catch (cause) {
      throw new CommandFailedError(
        `${this.#folder} belongs to another user: sessions cannot be stored there`,
        ['GATEHOUSE_HOME with a folder of your own'],
        cause,
      );
    }
  }

  get #lastFile(): string {
    return join(this.#folder, 'last');
  }

  #file(manager: string): string {
    return join(this.#folder, `${getFileName(manager)}.json`);
  }
}

/** The command that makes a new session. */
export const loginCommand = (manager: string): string => `gatehouse login --url ${manager}`;

/** @throws Error without any part of the text, which may be a token */
function parseSession(secret: string): Session {
  try {
    return JSON.parse(secret) as Session;
  } catch {
    throw new Error('the stored text is not a session');
  }
}

/** The name of a session's entry in the keyring, which differs for each home. */
function getAccountName(manager: string, home: string): string {
  return `${manager} (${createHash('sha256').update(home).digest('hex').slice(0, 8)})`;
}

const getFileName = (manager: string): string => createHash('sha256').update(manager).digest('hex').slice(0, 16);
const getSealingContext = (manager: string): string => `gatehouse session with ${manager}`;

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import { makePrivateFolder, removeTemporaryFiles } from '@gatehouse/local-files/private-folder';
import { withProcessLock } from '@gatehouse/local-files/process-lock';
import { SecretsError } from '../secrets-error.ts';
import type { SecretsProvider } from '../secrets-provider.ts';
import { createHeader, deriveKeys, type FileKeys, hasRightKeys } from './encryption.ts';
import { openSecrets, sealSecrets, strengthenHeader } from './encryption.ts';
import { type FileHeader, formatFile, type ParsedFile, parseFile, type PasswordStorage } from './file-format.ts';
import { findPassword, type FoundPassword, getKeyringAccount, type PasswordSources } from './find-password.ts';

/** The largest encrypted file, in bytes. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** The shortest password, in UTF-16 code units (NIST SP 800-63B, section 5.1.1.2). */
const MIN_PASSWORD_LENGTH = 8;

/** A new password of the file, and how later commands find it. */
export interface NewPassword {
  readonly text: string;
  readonly storage: PasswordStorage;
  /** Absolute path; for the storage `key-file` only. */
  readonly keyFile?: string;
}

/** An opened file. */
interface OpenFile {
  readonly header: FileHeader;
  readonly keys: FileKeys;
  readonly secrets: Map<string, string>;
}

/**
 * Secrets in one file that a password encrypts: `encrypted.json` of a folder. Readers see the old
 * or the new file. Writers take turns under a lock that the operating system frees with its
 * process.
 */
export class EncryptedSecrets implements SecretsProvider {
  readonly #folder: string;
  readonly #sources: PasswordSources;
  #password: FoundPassword | undefined;
  #known: { readonly salt: string; readonly keys: FileKeys } | undefined;

  constructor(folder: string, sources: PasswordSources) {
    this.#folder = folder;
    this.#sources = sources;
  }

  get path(): string {
    return join(this.#folder, 'encrypted.json');
  }

  get title(): string {
    return `the encrypted file ${this.path}`;
  }

  readonly get = async (name: string): Promise<string | undefined> => (await this.#open()).secrets.get(name);

  readonly list = async (): Promise<string[]> => [...(await this.#open()).secrets.keys()].sort();

  readonly set = (name: string, value: string): Promise<boolean> =>
    this.#change((secrets) => {
      const isNew = !secrets.has(name);
      secrets.set(name, value);
      return isNew;
    });

  readonly delete = (name: string): Promise<boolean> => this.#change((secrets) => secrets.delete(name));

  readonly describeChange = (name: string): string => `gatehouse secret set ${name}`;

  /** A typed password goes to the child in its environment, which only the same user can read. */
  readonly createChildEnvironment = async (): Promise<Record<string, string>> => {
    await this.#open();
    return this.#password?.origin === 'you typed' ? { GATEHOUSE_SECRETS_PASSWORD: this.#password.text } : {};
  };

  /** Whether there is a file. */
  exists(): boolean {
    return statSync(this.path, { throwIfNoEntry: false }) !== undefined;
  }

  /** How commands find the present password. @throws SecretsError as reading does */
  readPasswordStorage(): PasswordStorage {
    return this.#read().header.password_storage;
  }

  /**
   * Creates an empty file.
   * @throws SecretsError (secrets_set_up_already, secrets_password_too_short, keyring_unavailable)
   */
  async create(password: NewPassword): Promise<void> {
    checkPassword(password);
    await this.#alone(async () => {
      if (this.exists()) throw new SecretsError('secrets_set_up_already', `There is already ${this.title}`);
      await this.#replacePassword(password, new Map());
    });
  }

  /**
   * Encrypts the secrets with a new password. The file has the old or the new password at every
   * moment, and the storage of each password stays until the file does not need it.
   * @throws SecretsError as reading does, and as {@link create}
   */
  async changePassword(password: NewPassword): Promise<void> {
    checkPassword(password);
    await this.#open();
    await this.#alone(async () => {
      const { header, secrets } = await this.#open();
      await this.#replacePassword(password, secrets);
      if (header.password_storage === 'keyring') await this.#forgetPassword(header);
    });
  }

  async #replacePassword({ text, storage, keyFile }: NewPassword, secrets: Map<string, string>): Promise<void> {
    const header = createHeader({ password_storage: storage, ...(keyFile !== undefined && { key_file: keyFile }) });
    if (storage === 'keyring') await this.#storePassword(header, text);
    const keys = await deriveKeys(header, text);
    this.#write({ header, keys, secrets });
    this.#password = undefined;
  }

  async #storePassword(header: FileHeader, password: string): Promise<void> {
    try {
      (await this.#sources.keyring()).write(getKeyringAccount(header), password);
    } catch (cause) {
      throw new SecretsError(
        'keyring_unavailable',
        'The keyring of this system is not available',
        [
          '--password-storage key-file   stores a random password in a file',
          '--password-storage prompt   asks each time',
        ],
        cause,
      );
    }
  }

  /** Removes the entry of a replaced password. An entry that stays opens no file. */
  async #forgetPassword(header: FileHeader): Promise<void> {
    try {
      (await this.#sources.keyring()).remove(getKeyringAccount(header));
    } catch {
      // The keyring was locked or lost.
    }
  }

  async #change<Result>(change: (secrets: Map<string, string>) => Result): Promise<Result> {
    // The password is found and the key is derived before the lock, so that others do not wait.
    await this.#open();
    return this.#alone(async () => {
      const { header, keys, secrets } = await this.#open();
      const result = change(secrets);
      const next = strengthenHeader(header);
      this.#write({ header: next, keys: next === header ? keys : await this.#deriveKeys(next), secrets });
      return result;
    });
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    makePrivateFolder(this.#folder);
    return withProcessLock(join(this.#folder, 'encrypted.lock'), () => {
      removeTemporaryFiles(this.#folder);
      return work();
    });
  }

  async #open(): Promise<OpenFile> {
    const file = this.#read();
    const { header } = file;
    const keys = this.#known?.salt === header.salt ? this.#known.keys : await this.#deriveKeys(header);
    if (!hasRightKeys(file, keys)) {
      const origin = this.#password?.origin ?? '';
      throw new SecretsError('secrets_password_wrong', `The password ${origin} does not open ${this.path}`, [
        'GATEHOUSE_SECRETS_PASSWORD with the right password',
      ]);
    }
    this.#known = { salt: header.salt, keys };
    return { header, keys, secrets: openSecrets(file, keys, this.path) };
  }

  async #deriveKeys(header: FileHeader): Promise<FileKeys> {
    this.#password ??= await findPassword(header, this.path, this.#sources);
    return deriveKeys(header, this.#password.text);
  }

  #read(): ParsedFile {
    const size = statSync(this.path, { throwIfNoEntry: false })?.size;
    if (size === undefined) {
      throw new SecretsError('secrets_not_set_up', `There is no ${this.title.replace('the ', '')}`, [
        'gatehouse secret setup',
      ]);
    }
    if (size > MAX_FILE_BYTES) throw createSizeError(this.path);
    return parseFile(readFileSync(this.path, 'utf8'), this.path);
  }

  #write({ header, keys, secrets }: OpenFile): void {
    const text = formatFile(sealSecrets(header, keys, secrets));
    if (text.length > MAX_FILE_BYTES) throw createSizeError(this.path);
    replaceFile(this.path, text);
  }
}

const createSizeError = (path: string): SecretsError =>
  new SecretsError('secrets_too_large', `${path} may have at most 32 MiB; nothing was changed`, [
    'gatehouse secret list   shows what can be deleted',
  ]);

/** @throws SecretsError (secrets_password_too_short) */
function checkPassword({ text }: NewPassword): void {
  if (text.length >= MIN_PASSWORD_LENGTH) return;
  throw new SecretsError(
    'secrets_password_too_short',
    `The password must have at least ${MIN_PASSWORD_LENGTH} characters`,
  );
}

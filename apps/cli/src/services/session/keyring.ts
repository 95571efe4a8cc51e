import { createHash } from 'node:crypto';

/**
 * The place where the operating system keeps a person's secrets. Every method throws where there is
 * none, or where it is locked.
 */
export interface Keyring {
  read(account: string): string | undefined;
  write(account: string, secret: string): void;
  remove(account: string): void;
}

/** The service name of all entries. */
const SERVICE = 'gatehouse';

/**
 * The keychain of macOS, the credential manager of Windows, the Secret Service of a Linux desktop.
 * The kernel's keyring is left alone: it forgets at the next start of the machine.
 */
export async function systemKeyring(): Promise<Keyring> {
  const { Entry } = await import('@napi-rs/keyring');
  const entry = (account: string) => new Entry(SERVICE, account, { linux: { store: 'secret-service' } });
  return {
    read: (account) => entry(account).getPassword() ?? undefined,
    write: (account, secret) => entry(account).setPassword(secret),
    remove: (account) => void entry(account).deleteCredential(),
  };
}

/** The name of a session's entry: two homes never meet. */
export function accountOf(manager: string, home: string): string {
  return `${manager} (${createHash('sha256').update(home).digest('hex').slice(0, 8)})`;
}

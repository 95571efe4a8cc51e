/**
 * The operating system's storage for a user's secrets. Every method throws when the storage is
 * missing or locked.
 */
export interface Keyring {
  read(account: string): string | undefined;
  write(account: string, secret: string): void;
  remove(account: string): void;
}

/** The service name of all entries. */
const SERVICE = 'gatehouse';

/**
 * The keychain of macOS, the Credential Manager of Windows, or the Secret Service of a Linux
 * desktop. The keyring of the Linux kernel is not used, because it loses its entries at a restart.
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

import type { SecretsProvider } from '@gatehouse/secrets/secrets-provider';
import type { RunConfig } from '../../configuration/run-config.ts';
import { WorkloadError } from '../../errors/workload-error.ts';
import { getBinding, parseSession, type RemoteSession } from './remote-session.ts';

/** The session of one workload in the store of secrets. Commands of users do not show it. */
export class SessionStore {
  readonly #name: string;

  constructor(
    private readonly provider: SecretsProvider,
    private readonly config: RunConfig,
  ) {
    this.#name = `__gatehouse_remote_session_${config.name}`;
  }

  /** @throws WorkloadError (failed) where gatehouse stores no secrets */
  requireWritable(): void {
    if (this.provider.set !== undefined) return;
    throw new WorkloadError(
      'failed',
      `The tokens of a sign-in cannot be stored in ${this.provider.title}, which gatehouse only reads`,
      ['gatehouse secret setup   creates an encrypted file'],
    );
  }

  /** Returns the session for the settings of the configuration; undefined for other settings. */
  async read(): Promise<RemoteSession | undefined> {
    const text = await this.provider.get(this.#name);
    const session = text === undefined ? undefined : parseSession(text);
    return session?.binding === getBinding(this.config) ? session : undefined;
  }

  async save(session: RemoteSession): Promise<void> {
    await this.provider.set?.(this.#name, JSON.stringify(session));
  }

  async delete(): Promise<void> {
    await this.provider.delete?.(this.#name);
  }
}

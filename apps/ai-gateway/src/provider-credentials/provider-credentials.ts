import type { Provider } from '@gatehouse/ai-resources/generated/types';
import type { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import type { Log } from '@gatehouse/service-kit/log';
import { NotReadyError, type Readiness } from '@gatehouse/service-kit/readiness';
import { RenewedSecret } from './renewed-secret.ts';
import { type CredentialPlaces, findSecretSource, type SecretOwner, type SecretSource } from './secret-source.ts';

/**
 * The credentials of the providers of the AIGateway, and the secrets of its webhooks, in memory.
 * They are read when the AIGateway names them, so that a request never waits for them. A new value
 * holds after 30 s in a cluster, after 5 min in the enterprise manager, and at once after the
 * provider refused the old one.
 */
export class ProviderCredentials {
  private secrets: ReadonlyMap<string, RenewedSecret> = new Map();
  private wereRead = false;

  constructor(
    private readonly gateway: Pick<LiveGateway, 'explainMissing' | 'onUpdate' | 'require'>,
    private readonly places: CredentialPlaces,
    private readonly log: Log,
    private readonly readiness: Pick<Readiness, 'register' | 'registerWarning'>,
  ) {}

  /**
   * The credential of a provider, or the secret of a guardrail webhook.
   * @returns undefined for an owner that names none, and for one whose credential is missing
   */
  get(owner: SecretOwner): string | undefined {
    return this.find(owner)?.value;
  }

  /** Why the credential of a provider is missing, for administrators; undefined if it is not. */
  explainMissing(provider: Provider): string | undefined {
    return this.explain(provider, `the provider ${provider.name}`);
  }

  /** Reads the credential again, because the provider answered that it is not valid. */
  reportRefused(provider: Provider): void {
    this.find(provider)?.reportRefused();
  }

  /** Begins to follow the AIGateway. Nest calls it. */
  onModuleInit(): void {
    this.gateway.onUpdate(() => this.follow());
    this.readiness.register('provider credentials', () => this.requireRead());
    this.readiness.registerWarning('provider credentials', () => this.listProblems().join('; ') || undefined);
  }

  /** Forgets all credentials. Nest calls it. */
  onApplicationShutdown(): void {
    this.replace([]);
  }

  private explain(owner: SecretOwner, subject: string): string | undefined {
    const source = findSecretSource(owner, this.places);
    if (source === undefined) return undefined;
    const secret = this.secrets.get(source.key);
    if (secret?.value !== undefined) return undefined;
    return `${subject} cannot be used: ${secret?.problem ?? 'its credential has not been read yet'}`;
  }

  private find(owner: SecretOwner): RenewedSecret | undefined {
    const source = findSecretSource(owner, this.places);
    return source && this.secrets.get(source.key);
  }

  /** A service is ready when it has tried to read each credential once. */
  // eslint-disable-next-line @typescript-eslint/require-await -- a failure must reject
  private async requireRead(): Promise<void> {
    // Without a usable AIGateway another check fails.
    if (this.gateway.explainMissing() !== undefined) return;
    this.wereRead ||= this.listSources().every(({ key }) => this.secrets.get(key)?.wasRead === true);
    if (!this.wereRead)
      throw new NotReadyError('the credentials of the providers are not read yet; try again in a moment');
  }

  /** Takes over the credentials of the current AIGateway. Without a usable one, all stay. */
  private follow(): void {
    if (this.gateway.explainMissing() === undefined) this.replace(this.listSources());
  }

  private listSources(): readonly SecretSource[] {
    const sources = this.listOwners().map(({ owner }) => findSecretSource(owner, this.places));
    return sources.filter((source) => source !== undefined);
  }

  private replace(sources: readonly SecretSource[]): void {
    const known = this.secrets;
    const open = (source: SecretSource) =>
      new RenewedSecret(source, (problem) => this.reportChange(source.key, problem));
    const wanted = new Map(sources.map((source) => [source.key, source]));
    this.secrets = new Map([...wanted].map(([key, source]) => [key, known.get(key) ?? open(source)]));
    for (const [key, secret] of known) if (!this.secrets.has(key)) secret.close();
  }

  private reportChange(secret: string, problem: string | undefined): void {
    if (problem === undefined) this.log.info({ secret }, 'the credential of a provider was read');
    else this.log.warn({ secret, problem }, 'the credential of a provider cannot be read');
  }

  private listProblems(): string[] {
    if (this.gateway.explainMissing() !== undefined) return [];
    return this.listOwners()
      .map(({ owner, subject }) => this.explain(owner, subject))
      .filter((problem) => problem !== undefined);
  }

  /** The providers and webhooks of the current AIGateway that name secrets. */
  private listOwners(): { readonly owner: SecretOwner; readonly subject: string }[] {
    const { providers = [], guardrails } = this.gateway.require().spec;
    const webhooks = (['requestWebhook', 'responseWebhook'] as const).flatMap((name) => {
      const owner = guardrails?.[name];
      return owner === undefined ? [] : [{ owner, subject: `spec.guardrails.${name}` }];
    });
    return [...providers.map((owner) => ({ owner, subject: `the provider ${owner.name}` })), ...webhooks];
  }
}

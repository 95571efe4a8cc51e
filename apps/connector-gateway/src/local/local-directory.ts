import type { ClaimMapping } from '@gatehouse/policy/claims';
import { STANDARD_CLAIMS } from '@gatehouse/policy/claims';
import { DocumentChecks } from '@gatehouse/policy/document-checks';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getBackendsPlace, readVariable, SETTINGS, type Settings } from '../config/config.ts';
import { ConnectionStatesRepository } from '../connection-states/connection-states.repository.ts';
import type { AuthenticatedUser, Rules } from '../mcp/access/access.ts';
import { DirectoryUnavailableError, type UserChangeListener } from '../mcp/access/directory-view.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import { type ConnectionChange, type ConnectionChangeResult, GatewayDirectory } from '../ports/gateway-directory.ts';
import { BackendSecrets } from './backends/backend-secrets.ts';
import { BACKEND_NAME, BACKEND_NAME_RULE } from './backends/backends-schema.ts';
import { BackendsSource, type LoadedBackends } from './backends/backends-source.ts';
import { LocalEntitlements } from './local-entitlements.ts';

/** The directory of the mode `local`: a file of backends, and states in the gateway's database. */
@Injectable()
export class LocalDirectory extends GatewayDirectory implements OnModuleInit, OnApplicationShutdown {
  readonly secrets: BackendSecrets;
  private readonly checks = new DocumentChecks();
  private readonly source: BackendsSource;
  private readonly entitlements: LocalEntitlements;
  private readonly listeners = new Set<(rules: Rules) => void>();
  private rules: Rules | undefined;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly states: ConnectionStatesRepository,
    private readonly readiness: Readiness,
    dataSource: DataSource,
    clock: Clock,
    log: Log,
  ) {
    super();
    this.secrets = new BackendSecrets(readVariable, () => clock.now().getTime());
    const claims: ClaimMapping = { ...STANDARD_CLAIMS, ...settings.POLICY_CLAIMS };
    const allowLoopback = settings.ALLOW_LOOPBACK_UPSTREAMS;
    const rules = { checks: this.checks, claims, allowLoopback, readVariable };
    this.source = new BackendsSource(getBackendsPlace(settings), rules, log);
    this.entitlements = new LocalEntitlements({
      states,
      dataSource,
      issuers: settings.ISSUERS,
      groupsClaim: settings.GROUPS_CLAIM,
      log,
    });
  }

  /** @throws StartError if the backends are not valid */
  async onModuleInit(): Promise<void> {
    this.adopt(await this.source.load());
    this.source.follow((loaded) => this.adopt(loaded));
    this.readiness.registerWarning('backends', () => this.source.problem);
    await this.entitlements.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.source.stop();
    await this.entitlements.stop();
    await this.checks.close();
  }

  getRules(): Rules | undefined {
    return this.rules;
  }

  onChange(listener: (rules: Rules) => void): void {
    this.listeners.add(listener);
  }

  getEntitlements(user: AuthenticatedUser): Entitlements | Promise<Entitlements> {
    return this.entitlements.get(user);
  }

  onUserChanged(user: AuthenticatedUser, listener: UserChangeListener): () => void {
    return this.entitlements.watch(user, listener);
  }

  requireAvailability(): void {
    if (this.rules === undefined) throw new DirectoryUnavailableError('the backends are not loaded');
  }

  findIdProblem(text: string): string | undefined {
    return BACKEND_NAME.test(text) ? undefined : `${BACKEND_NAME_RULE}, as the name of a backend`;
  }

  async changeConnection({ user, connectorId, enabled, version }: ConnectionChange): Promise<ConnectionChangeResult> {
    const change = this.states.change(user, connectorId, enabled ?? null, version);
    const isChanged = await change.finally(() => this.entitlements.markChanged(user));
    return isChanged ? 'changed' : 'outdated';
  }

  /** Local mode reports to no other service. */
  observeListing(): void {}

  private adopt({ rules, secrets }: LoadedBackends): void {
    this.secrets.replaceSources(secrets);
    this.rules = rules;
    for (const listener of this.listeners) listener(rules);
  }
}

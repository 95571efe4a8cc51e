import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import { CachedResources } from '@gatehouse/live-gateway/cached-resources';
import { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import { getResourceMetadataUrl } from '@gatehouse/auth/resource-metadata-url';
import { PROTECTED_RESOURCE, type ProtectedResource } from '@gatehouse/service-kit/protected-resource';
import type { DirectRoute } from '@gatehouse/service-kit/direct-requests';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit, Optional } from '@nestjs/common';
import { Admission } from '../admission/admission.ts';
import { SETTINGS, type Settings } from '../config.ts';
import { CallLimits } from '../exchange/call-limits.ts';
import { CallObserver } from '../exchange/call-observer.ts';
import type { Budgets } from '../exchange/call-parts.ts';
import { DrainSlots } from '../exchange/drain-slots.ts';
import { ModelCalls } from '../exchange/model-calls.ts';
import { RunningCalls } from '../exchange/running-calls.ts';
import { RequestMemory } from '../exchange/request-memory.ts';
import { POLICIES } from '../gateway/gateway.module.ts';
import { isModelPath } from '../formats/find-operation.ts';
import { SERVED_FORMATS } from '../formats/served-formats.ts';
import { GuardrailPasses } from '../guardrails/guardrail-passes.ts';
import { Principals } from '../identity/principals.ts';
import { ModelGrants } from '../policy/model-grants.ts';
import { ProviderCredentials } from '../provider-credentials/provider-credentials.ts';
import { ProviderBreakers } from '../routing/provider-breakers.ts';
import { UsageRecorder } from '../settlement/usage-recorder.ts';
import { ProviderPlatforms } from '../upstream/platforms/provider-platforms.ts';
import { ProviderConnections } from '../upstream/provider-connections.ts';

/** Responses that are read on after their clients have disconnected, and their longest time. */
const DRAINS = { slots: 64, longestMs: 30_000 };

/** Assembles the parts of model calls. */
@Injectable()
export class DataPlane implements OnModuleInit, OnApplicationShutdown {
  private readonly grants: ModelGrants;
  private readonly connections: ProviderConnections;
  private readonly platforms: ProviderPlatforms;
  private readonly passes: GuardrailPasses;
  private readonly calls: ModelCalls;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly gateway: LiveGateway,
    @Inject(POLICIES) private readonly policies: CachedResources<AIPolicy>,
    principals: Principals,
    providerKeys: ProviderCredentials,
    observer: CallObserver,
    log: Log,
    @Inject(PROTECTED_RESOURCE) resource: ProtectedResource,
    @Optional() admission?: Admission,
    @Optional() recorder?: UsageRecorder,
  ) {
    this.grants = new ModelGrants(settings.GATEWAY_NAME);
    this.connections = new ProviderConnections({ allowLoopback: settings.ALLOW_LOOPBACK_PROVIDERS });
    this.platforms = new ProviderPlatforms({ allowLoopback: settings.ALLOW_LOOPBACK_PROVIDERS, log });
    this.passes = new GuardrailPasses({
      log,
      secrets: providerKeys,
      allowLoopback: settings.ALLOW_LOOPBACK_PROVIDERS,
    });
    const budgets: Budgets | undefined = admission && recorder && { admission, recorder };
    this.calls = new ModelCalls(
      {
        getGateway: () => gateway.require(),
        principals,
        grants: this.grants,
        budgets,
        providerKeys,
        connections: this.connections,
        platforms: this.platforms,
        breakers: new ProviderBreakers(() => performance.now()),
        limits: new CallLimits(),
        running: new RunningCalls(principals),
        memory: new RequestMemory(settings.REQUEST_MEMORY_BYTES),
        drains: new DrainSlots(DRAINS),
        observer,
        passes: this.passes,
        settings: {
          requestBytes: settings.MAX_REQUEST_BYTES,
          connectSeconds: settings.CONNECT_SECONDS,
          requestSeconds: settings.REQUEST_SECONDS,
          streamIdleSeconds: settings.STREAM_IDLE_SECONDS,
        },
        log,
        createChallenge: () =>
          resource.isPublished
            ? `Bearer resource_metadata="${getResourceMetadataUrl(resource.resource())}"`
            : undefined,
      },
      SERVED_FORMATS,
    );
  }

  onModuleInit(): void {
    this.policies.cache.onChange(({ name, current }) => this.grants.update(name, current));
    this.gateway.onUpdate(() => this.closeUnused());
  }

  private closeUnused(): void {
    // While the AIGateway cannot be used, its connections stay for its return.
    if (this.gateway.explainMissing() === undefined)
      this.connections.retain(this.gateway.require().spec.providers ?? []);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.connections.close(), this.platforms.close(), this.passes.close()]);
  }

  /** The route of model calls on the main port. */
  createRoute(): DirectRoute {
    return {
      findPattern: ({ url = '' }) => (isModelPath(url) ? describePath(url) : undefined),
      serve: (request, response) => this.calls.handle(request, response),
    };
  }
}

/** The pattern of a path for logs and metrics, without names that callers choose. */
function describePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  const known = SERVED_FORMATS.byPath.has(path);
  if (known) return path;
  const [, verb] = /:([A-Za-z]+)$/.exec(path) ?? [];
  const [version = '(no version)'] = /^\/v1(?:beta)?(?=\/)/.exec(path) ?? [];
  if (verb !== undefined && SERVED_FORMATS.byVerb.has(verb)) return `${version}/models/{model}:${verb}`;
  if (path === `${version}/models`) return path;
  return path.startsWith(`${version}/models/`) ? `${version}/models/{model}` : `${version}/*`;
}

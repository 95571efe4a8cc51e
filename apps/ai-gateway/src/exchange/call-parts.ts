import type { Provider } from '@gatehouse/ai-resources/generated/types';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { Log } from '@gatehouse/service-kit/log';
import type { Admission } from '../admission/admission.ts';
import type { Principals } from '../identity/principals.ts';
import type { ModelGrants } from '../policy/model-grants.ts';
import type { ProviderBreakers } from '../routing/provider-breakers.ts';
import type { UsageRecorder } from '../settlement/usage-recorder.ts';
import type { ProviderPlatforms } from '../upstream/platforms/provider-platforms.ts';
import type { ProviderConnections } from '../upstream/provider-connections.ts';
import type { CallLimits } from './call-limits.ts';
import type { CallObserver } from './call-observer.ts';
import type { CallPasses } from './call-pass.ts';
import type { DrainSlots } from './drain-slots.ts';
import type { RunningCalls } from './running-calls.ts';
import type { RequestMemory } from './request-memory.ts';

/** The keys of providers. */
export interface ProviderKeys {
  /** The key of a provider; undefined if it has none. */
  get(provider: Provider): string | undefined;
  /** Why the key of a provider cannot be used now; undefined if it can, or none is needed. */
  explainMissing(provider: Provider): string | undefined;
  /** The provider has refused its key. */
  reportRefused(provider: Provider): void;
}

/** The parts that pay for model calls. */
export interface Budgets {
  readonly admission: Admission;
  readonly recorder: UsageRecorder;
}

/** The parts that all model calls share. */
export interface CallParts {
  /** Returns the usable AIGateway. @throws HttpError unavailable */
  getGateway(): AIGateway;
  readonly principals: Principals;
  readonly grants: ModelGrants;
  /** Undefined without an enterprise manager: no billed call is possible. */
  readonly budgets: Budgets | undefined;
  readonly providerKeys: ProviderKeys;
  readonly connections: ProviderConnections;
  readonly platforms: ProviderPlatforms;
  readonly breakers: ProviderBreakers;
  readonly limits: CallLimits;
  readonly running: RunningCalls;
  readonly memory: RequestMemory;
  readonly drains: DrainSlots;
  /** Undefined without guardrails. */
  readonly passes?: CallPasses | undefined;
  readonly observer: CallObserver;
  readonly settings: CallSettings;
  readonly log: Log;
  /** `WWW-Authenticate` of a call without a valid credential; undefined without metadata. */
  createChallenge(): string | undefined;
}

/** The limits of calls where the AIGateway names none. */
export interface CallSettings {
  readonly requestBytes: number;
  readonly connectSeconds: number;
  readonly requestSeconds: number;
  readonly streamIdleSeconds: number;
}

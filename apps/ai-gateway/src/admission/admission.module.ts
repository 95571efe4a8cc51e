import { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import {
  type DynamicModule,
  Global,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Admission } from './admission.ts';
import { BudgetCalls } from './budget-calls.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { LeasedAdmission, type WebhookRules } from './leased-admission.ts';
import type { LeaseSettings } from './lease-settings.ts';

const SWEEP_INTERVAL_MS = 1_000;
/** The defaults of `spec.webhooks.budgets`. */
const DEFAULT_RULES: WebhookRules = { timeoutMs: 5_000, failureMode: 'Closed' };

/**
 * Provides the admission of attempts to all modules, and returns all leases at the end of the
 * process. It needs `BudgetCalls` of another module.
 */
@Global()
@Module({})
export class AdmissionModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly admission: LeasedAdmission) {}

  static of(settings: LeaseSettings): DynamicModule {
    const create = (budgets: BudgetCalls, gateway: LiveGateway, clock: Clock, log: Log, metrics: Metrics) =>
      new LeasedAdmission({
        budgets,
        settings,
        readRules: () => readWebhookRules(gateway),
        clock,
        log,
        metrics: new AdmissionMetrics(metrics),
      });
    return {
      module: AdmissionModule,
      providers: [
        { provide: LeasedAdmission, useFactory: create, inject: [BudgetCalls, LiveGateway, Clock, Log, Metrics] },
        { provide: Admission, useExisting: LeasedAdmission },
      ],
      exports: [Admission],
    };
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.admission.sweep(), SWEEP_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.admission.stop();
  }
}

/** Reads `spec.webhooks.budgets`; its defaults while the AIGateway cannot be used. */
function readWebhookRules(gateway: LiveGateway): WebhookRules {
  if (gateway.explainMissing() !== undefined) return DEFAULT_RULES;
  const { timeoutSeconds, failureMode } = gateway.require().spec.webhooks?.budgets ?? {};
  return {
    timeoutMs: timeoutSeconds === undefined ? DEFAULT_RULES.timeoutMs : timeoutSeconds * 1_000,
    failureMode: failureMode ?? DEFAULT_RULES.failureMode,
  };
}

import { Module } from '@nestjs/common';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { PROTECTED_RESOURCE } from '../auth/protected-resource.ts';
import { ResourceMetadataController } from '../auth/resource-metadata.controller.ts';
import { HealthController } from '../telemetry/health.controller.ts';
import { Clock } from './clock.ts';
import { CursorCodec } from '../http/cursor.ts';
import { ClientSpans } from '../telemetry/client-spans.ts';
import { Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { Readiness } from '../telemetry/readiness.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** The routes of every service, and the providers that all modules of the app can inject. */
@Module({})
export class KitModule {
  /** The root module: the module of the app with the shared providers. */
  static wrap(app: Type | DynamicModule, providers: Provider[]): DynamicModule {
    const controllers = [HealthController, ResourceMetadataController];
    return { module: KitModule, global: true, imports: [app], controllers, providers, exports: providers };
  }

  /**
   * The root module for the OpenAPI document. The providers are undefined, as no class is created.
   */
  static describe(app: Type | DynamicModule): DynamicModule {
    const injectable = [ClientSpans, Clock, CursorCodec, Log, Metrics, PROTECTED_RESOURCE, Readiness, TokenVerifier];
    return KitModule.wrap(
      app,
      injectable.map((provide) => ({ provide, useValue: undefined })),
    );
  }

  /** Providers of log, metrics and spans. */
  static observability(log: Log, { metrics, clientSpans }: Telemetry): Provider[] {
    return [
      { provide: Log, useValue: log },
      { provide: Metrics, useValue: metrics },
      { provide: ClientSpans, useValue: clientSpans },
    ];
  }
}

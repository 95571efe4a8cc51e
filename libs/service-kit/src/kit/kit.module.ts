import { Module } from '@nestjs/common';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { ResourceMetadataController, PROTECTED_RESOURCE } from '../auth/resource-metadata.controller.ts';
import { HealthController } from '../telemetry/health.controller.ts';
import { Clock } from './clock.ts';
import { CursorCodec } from '../http/cursor.ts';
import { Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { Readiness } from '../telemetry/readiness.ts';

/**
 * The routes that every service has, and the providers that the app's modules inject without an
 * import.
 */
@Module({})
export class KitModule {
  /** The root module: the app's own, and the providers for all of it. */
  static around(app: Type | DynamicModule, providers: Provider[]): DynamicModule {
    const controllers = [HealthController, ResourceMetadataController];
    return { module: KitModule, global: true, imports: [app], controllers, providers, exports: providers };
  }

  /**
   * The root module for a description: everything can be injected, and nothing is behind it, since
   * none of the app's classes is made.
   */
  static described(app: Type | DynamicModule): DynamicModule {
    const injectable = [Clock, CursorCodec, Log, Metrics, PROTECTED_RESOURCE, Readiness, TokenVerifier];
    return KitModule.around(
      app,
      injectable.map((provide) => ({ provide, useValue: undefined })),
    );
  }

  /** Providers of log and metrics. */
  static observability(log: Log, metrics: Metrics): Provider[] {
    return [
      { provide: Log, useValue: log },
      { provide: Metrics, useValue: metrics },
    ];
  }
}

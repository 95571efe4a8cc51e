import { Module } from '@nestjs/common';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { Log } from './log.ts';
import { Metrics } from './metrics.ts';

/** Gives the app's modules what every service has, without an import. */
@Module({})
export class KitModule {
  /** The root module: the app's own, and the providers for all of it. */
  static around(app: Type | DynamicModule, providers: Provider[]): DynamicModule {
    return { module: KitModule, global: true, imports: [app], providers, exports: providers };
  }

  /** Providers of log and metrics. */
  static observability(log: Log, metrics: Metrics): Provider[] {
    return [
      { provide: Log, useValue: log },
      { provide: Metrics, useValue: metrics },
    ];
  }
}

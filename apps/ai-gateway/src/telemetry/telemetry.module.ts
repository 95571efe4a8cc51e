import { ClientSpans } from '@gatehouse/service-kit/client-spans';
import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { Global, Module } from '@nestjs/common';
import { CallObserver } from '../exchange/call-observer.ts';
import { CallTelemetry } from './call-telemetry.ts';

const create = (metrics: Metrics, spans: ClientSpans, log: Log) =>
  new CallTelemetry({ metrics, spans, log, now: () => performance.now() });

/** Provides the observer of model calls to all modules. */
@Global()
@Module({
  providers: [{ provide: CallObserver, useFactory: create, inject: [Metrics, ClientSpans, Log] }],
  exports: [CallObserver],
})
export class TelemetryModule {}

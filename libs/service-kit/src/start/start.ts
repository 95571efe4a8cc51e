import { ConfigError } from '../config/config.ts';
import { closeOnSignal, exitOnSignal } from './lifecycle.ts';
import { StartError } from './start-error.ts';
import { startTelemetry } from '../telemetry/telemetry.ts';
import type { Service, ServiceOptions } from './service.ts';
import { assemble } from './assembly.ts';
import { openPort } from './open-port.ts';

export type {
  ForbiddenEvent,
  RefusedEvent,
  Service,
  ServiceOptions,
  SideListener,
  SideListenerKit,
} from './service.ts';

/**
 * Creates a service that does not listen yet.
 * @throws Error naming every route with neither @Requires nor @Public; ConfigError when the metrics
 * port is taken
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { settings, name } = options;
  const telemetry = await openPort('METRICS_PORT', settings.HOST, settings.METRICS_PORT, () =>
    startTelemetry({
      service: name,
      version: options.version,
      environment: settings.ENVIRONMENT,
      host: settings.HOST,
      metricsPort: settings.METRICS_PORT,
      endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    }),
  );
  try {
    return await assemble(options, telemetry);
  } catch (error) {
    await telemetry.close();
    throw error;
  }
}

/**
 * Starts a service for main.ts. It shuts down after SIGTERM, SIGINT and, with EXIT_WITH_PARENT, the
 * end of the parent process. A failed start prints the error and exits with 1.
 */
export async function startService(
  options: ServiceOptions | (() => ServiceOptions | Promise<ServiceOptions>),
): Promise<Service> {
  const stopStarting = exitOnSignal();
  try {
    const resolved = typeof options === 'function' ? await options() : options;
    const service = await createService(resolved);
    stopStarting();
    closeOnSignal({ log: service.log, close: () => service.close(), withParent: resolved.settings.EXIT_WITH_PARENT });
    await service.listen();
    return service;
  } catch (error) {
    const text =
      error instanceof ConfigError || error instanceof StartError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}

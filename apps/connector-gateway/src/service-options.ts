import { RefusalsService } from '@gatehouse/audit/refusals.service';
import { toDatabaseHttpError } from '@gatehouse/database/database-http-error';
import type { ServiceOptions } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import type { Settings } from './config/config.ts';
import { addEmbeddedKey } from './key-encryption/embedded-key.ts';
import { createMcpListener } from './data-plane/mcp-listener.ts';
import { createReplicaListener } from './data-plane/replica-listener.ts';
import { openDatabase } from './open-database.ts';
import { service } from './openapi.ts';
import { registerPublicRoutes } from './public-routes.ts';

/**
 * Opens the database and assembles the service: the control plane on the main port, the MCP
 * endpoint on a second port.
 */
export async function createServiceOptions(loaded: Settings): Promise<ServiceOptions> {
  const settings = addEmbeddedKey(loaded);
  const { HOST, CONTROL_PORT, CONTROL_PUBLIC_URL } = settings;
  const listener = createMcpListener(settings, registerPublicRoutes);
  const replicas = createReplicaListener(settings);
  return {
    ...service,
    settings,
    module: AppModule.with(settings, await openDatabase(settings)),
    listen: { host: HOST, port: CONTROL_PORT, publicUrl: CONTROL_PUBLIC_URL },
    sideListeners: replicas === undefined ? [listener] : [listener, replicas],
    onForbidden: (event, app) => app.get(RefusalsService).record(event),
    toHttpError: toDatabaseHttpError,
  };
}

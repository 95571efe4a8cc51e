import { createClient } from '@gatehouse/contracts-connector-gateway/client';
import { CommandFailedError } from '../../errors/cli-error.ts';
import { parseJsonResponse } from '../../json/json-response.ts';
import type { Manager } from './manager.ts';

/** The typed client of the control plane of a connector gateway. */
export const createGatewayApi = (gateway: Manager) =>
  createClient({
    baseUrl: gateway.url,
    fetch: async (request) =>
      parseJsonResponse(
        await gateway.send(request),
        ({ status }) =>
          new CommandFailedError(`${gateway.url} does not answer like a connector gateway (HTTP ${status})`, [
            'GATEHOUSE_CONNECTOR_GATEWAY_URL with the address of its control plane',
          ]),
      ),
  });

import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The server announced an endpoint that is not its own. The client gets 502. */
export class ForeignEndpointError extends GatehouseError {
  override readonly code = 'foreign_endpoint';
}

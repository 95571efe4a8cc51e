import { describeRoute } from '@gatehouse/service-kit/route';
import type { GatewayKind } from '../../config/gateway-settings.ts';

/** The gateways that may call a route. */
export interface GatewayAccess {
  kinds: readonly [GatewayKind, ...GatewayKind[]];
  /** Whether retired gateways may call the route. */
  retired?: true;
}

/**
 * Allows a route for tokens with the role `gateway` whose client is registered in GATEWAYS for a
 * gateway of one of the kinds. A `gateway_id` in the path must be such a gateway of the client.
 */
export const RequiresGateway = (gateway: GatewayAccess): MethodDecorator =>
  describeRoute({ access: ['gateway'], gateway });

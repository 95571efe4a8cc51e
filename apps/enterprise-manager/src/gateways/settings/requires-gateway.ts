import { describeRoute } from '@gatehouse/service-kit/route';
import type { GatewayKind } from '../../config/gateway-settings.ts';

/** Which gateways may call a route. */
export interface GatewayAccess {
  kinds: readonly [GatewayKind, ...GatewayKind[]];
  /** Whether a gateway that was taken out of service may still call it. */
  retired?: true;
}

/**
 * Opens a route to tokens with the role `gateway` whose client is registered in GATEWAYS for a
 * gateway of one of the kinds. Where the path has a `gateway_id`, it is one of the client's own
 * gateways of these kinds.
 */
export const RequiresGateway = (gateway: GatewayAccess): MethodDecorator =>
  describeRoute({ access: ['gateway'], gateway });

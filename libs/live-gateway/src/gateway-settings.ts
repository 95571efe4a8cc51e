import { isResourceName } from '@gatehouse/ai-resources/metadata-schema';
import { resourceSettings } from '@gatehouse/ai-resources/resource-settings';
import { z } from 'zod';

const dnsSubdomain = z.string().refine(isResourceName, 'must be a DNS subdomain (RFC 1123)');

/** The variables that select the AIGateway of a service, for the schema of its settings. */
export const gatewaySettings = {
  ...resourceSettings,
  GATEWAY_NAME: dnsSubdomain.describe(
    'Name of the AIGateway of this instance. Its `spec.auth` names the issuer and audience of access tokens and the roles of callers',
  ),
};

/** The AIGateway of a service. */
export type GatewayIdentity = Readonly<
  Pick<z.output<z.ZodObject<typeof gatewaySettings>>, 'NAMESPACE' | 'GATEWAY_NAME'>
>;

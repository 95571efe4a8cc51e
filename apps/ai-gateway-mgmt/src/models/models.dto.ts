import { isResourceName } from '@gatehouse/ai-resources/metadata-schema';
import { optionalText } from '@gatehouse/service-kit/paging';
import { z } from 'zod';

const MAX_NAME_LENGTH = 253;

/** The query of the list of models. An empty parameter counts as absent. */
export const ModelListQuery = z.strictObject({
  gatewayRef: optionalText(
    z.string().refine(isResourceName, 'must be the name of an AIGateway (a DNS-1123 subdomain)'),
    'Another AIGateway of the namespace; default: that of this instance',
    MAX_NAME_LENGTH,
  ),
});
export type ModelListQuery = z.output<typeof ModelListQuery>;

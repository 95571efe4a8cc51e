import { isResourceName } from '@gatehouse/ai-resources/metadata-schema';
import { optionalText } from '@gatehouse/service-kit/paging';
import { z } from 'zod';

const MAX_NAME_LENGTH = 253;

/** A model of the gateway, in the format of OpenAI. */
const Model = z
  .object({
    id: z.string().meta({ examples: ['gpt-5.4'] }),
    object: z.literal('model'),
    created: z.int().meta({
      description: 'Time of the creation of the gateway, in seconds since 1970',
      examples: [1_772_445_000],
    }),
    owned_by: z.string().meta({ description: 'The kind of the first provider of the model', examples: ['openai'] }),
    display_name: z
      .string()
      .optional()
      .meta({ examples: ['GPT-5.4'] }),
    context_window: z
      .int()
      .optional()
      .meta({ description: 'Size of the context window, in tokens', examples: [400_000] }),
  })
  .meta({ id: 'Model', description: 'A model of the gateway' });

/** The models of a gateway. */
export const ModelList = z
  .object({ object: z.literal('list'), data: z.array(Model) })
  .meta({ id: 'ModelList', description: 'The models of the routes of the gateway, each once, sorted by id' });
export type ModelList = z.infer<typeof ModelList>;

/** The query of the list of models. An empty parameter counts as absent. */
export const ModelListQuery = z.strictObject({
  gatewayRef: optionalText(
    z.string().refine(isResourceName, 'must be the name of an AIGateway (a DNS-1123 subdomain)'),
    'Another AIGateway of the namespace; default: that of this instance',
    MAX_NAME_LENGTH,
  ),
});
export type ModelListQuery = z.output<typeof ModelListQuery>;

import { z } from 'zod';

/** A model that callers can request, in the format of OpenAI. */
export const Model = z
  .strictObject({
    id: z.string().meta({ examples: ['gpt-5.4'] }),
    object: z.literal('model'),
    created: z.int().meta({
      description: 'Time of the last change of the gateway file, in seconds since 1970',
      examples: [1_772_445_000],
    }),
    owned_by: z.string().meta({ description: 'The provider of the model', examples: ['openai'] }),
    display_name: z
      .string()
      .optional()
      .meta({ examples: ['GPT-5.4'] }),
    context_window: z
      .int()
      .optional()
      .meta({ description: 'Size of the context window, in tokens', examples: [400_000] }),
  })
  .meta({ id: 'Model', description: 'A model that callers can request' });

export const ModelList = z
  .strictObject({ object: z.literal('list'), data: z.array(Model) })
  .meta({ id: 'ModelList', description: 'All models, each once, sorted by id' });
export type ModelList = z.infer<typeof ModelList>;

import { z } from 'zod';

/** A model of an AI gateway, in the format of OpenAI. */
export const Model = z
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
export type Model = z.output<typeof Model>;

/** The models of an AI gateway, in the format of OpenAI. */
export const ModelList = z
  .object({ object: z.literal('list'), data: z.array(Model) })
  .meta({ id: 'ModelList', description: 'The models of the routes of the gateway, each once, sorted by id' });
export type ModelList = z.output<typeof ModelList>;

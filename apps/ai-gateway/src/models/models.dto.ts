import { z } from 'zod';

/** A model that callers can ask for, in OpenAI's shape. */
export const Model = z
  .strictObject({
    id: z.string().meta({ examples: ['gpt-5.4'] }),
    object: z.literal('model'),
    created: z
      .int()
      .meta({ description: 'When this gateway began to serve it, in seconds since 1970', examples: [1_772_445_000] }),
    owned_by: z.string().meta({ description: 'The provider behind it', examples: ['openai'] }),
    display_name: z
      .string()
      .optional()
      .meta({ examples: ['GPT-5.4'] }),
    context_window: z
      .int()
      .optional()
      .meta({ description: 'Tokens', examples: [400_000] }),
  })
  .meta({ id: 'Model', description: 'A model that callers can ask for' });

export const ModelList = z
  .strictObject({ object: z.literal('list'), data: z.array(Model) })
  .meta({ id: 'ModelList', description: 'Models, each once, sorted by id' });
export type ModelList = z.infer<typeof ModelList>;

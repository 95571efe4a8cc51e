import { z } from 'zod';

/** A model that callers can ask for, in OpenAI's shape. */
export const Model = z
  .strictObject({
    id: z.string(),
    object: z.literal('model'),
    created: z.int().describe('When this gateway began to serve it, in seconds since 1970'),
    owned_by: z.string().describe('The provider behind it'),
    display_name: z.string().optional(),
    context_window: z.int().optional().describe('Tokens'),
  })
  .meta({ id: 'Model', description: 'A model that callers can ask for' });

export const ModelList = z
  .strictObject({ object: z.literal('list'), data: z.array(Model) })
  .meta({ id: 'ModelList', description: 'Models, each once, sorted by id' });
export type ModelList = z.infer<typeof ModelList>;

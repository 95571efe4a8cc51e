import { listModels } from '@gatehouse/ai-policies/model-list';
import type { ModelLists } from '../exchange/model-lists.ts';
import type { ServedFormats } from './find-operation.ts';
import { ModelCallError } from './model-call-error.ts';
import { chatCompletions } from './openai/chat-completions.ts';
import { embeddings } from './openai/embeddings.ts';
import { openAiErrors } from './openai/errors.ts';
import { responses } from './openai/responses.ts';

/** The operations and errors of all vendors. */
export const SERVED_FORMATS: ServedFormats = {
  byPath: new Map([
    ['/v1/chat/completions', chatCompletions],
    ['/v1/responses', responses],
    ['/v1/embeddings', embeddings],
  ]),
  byVerb: new Map(),
  errors: { openai: openAiErrors, anthropic: openAiErrors, google: openAiErrors },
};

/** The lists of models of all vendors. */
export const modelLists: ModelLists = {
  create: ({ model }, gateway, granted) => {
    const { data } = listModels(gateway);
    const usable = data.filter(({ id }) => granted.includes(id));
    if (model === undefined) return { object: 'list', data: usable };
    const found = usable.find(({ id }) => id === model);
    if (found !== undefined) return { ...found };
    throw new ModelCallError('not_found', `The model \`${model}\` does not exist or you do not have access to it.`);
  },
};

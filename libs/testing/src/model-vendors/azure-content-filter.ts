import type { Frame } from './reply.ts';

const SAFE = { filtered: false, severity: 'safe' };

/** The results of the content filter for a prompt. */
export const createFilterResults = (): object[] => [
  { prompt_index: 0, content_filter_results: { hate: SAFE, self_harm: SAFE, sexual: SAFE, violence: SAFE } },
];

/** The first chunk of a stream of Azure: without a model, an id and choices. */
export const createFilterFrame = (): Frame => {
  const chunk = {
    choices: [],
    created: 0,
    id: '',
    model: '',
    object: '',
    prompt_filter_results: createFilterResults(),
  };
  return { text: `data: ${JSON.stringify(chunk)}\n\n` };
};

const VERBS = 'create list get update delete search merge archive send export import assign close share download'.split(
  ' ',
);
const NOUNS =
  'issue repository invoice customer channel message file folder event ticket order product pipeline deployment cluster secret report dashboard metric contract'.split(
    ' ',
  );
const WORDS =
  'workspace organisation project team user filter state label date page cursor limit result identifier field status owner permission access token configuration region version environment release branch commit'.split(
    ' ',
  );

const pick = (list, at) => list[at % list.length];

/** Returns different tools with descriptions of about 25 words and six parameters. */
export const createSearchableTools = (count, offset) =>
  Array.from({ length: count }, (_, index) => {
    const at = offset + index;
    const [verb, noun, owner] = [pick(VERBS, at), pick(NOUNS, Math.floor(at / VERBS.length)), pick(WORDS, at * 7)];
    const words = Array.from({ length: 20 }, (__, place) => pick(WORDS, at * 31 + place * place));
    const names = Array.from({ length: 6 }, (__, place) => `${pick(WORDS, at + place * 5)}_${place}`);
    return {
      name: `${verb}_${noun}_${at}`,
      description: `Use this to ${verb} a ${noun} of the ${owner}. ${words.join(' ')}.`,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          names.map((name) => [name, { type: 'string', description: `The ${name} of it` }]),
        ),
      },
    };
  });

/** The queries of the benchmark: words of tools, sentences, beginnings and misspelled words. */
export const QUERIES = VERBS.flatMap((verb, at) => [
  `${verb} ${pick(NOUNS, at * 3)}`,
  `how do I ${verb} the ${pick(NOUNS, at)} of a ${pick(WORDS, at)} in my ${pick(WORDS, at + 5)}`,
  `${verb.slice(0, 4)} ${pick(NOUNS, at + 1).slice(0, 5)}`,
  `${verb} ${pick(NOUNS, at + 2).slice(0, -1)}x`,
]);

import { generateHostileTextsBySize } from './hostile-shapes.mjs';

const MIB = 1024 * 1024;
/** Bytes of an answer around its hostile text. */
const ROOM = 2_048;

/** Sizes of answers: the maximum to parse, the maximum to receive, and a larger one. */
const SIZES = [4 * MIB - ROOM, 16 * MIB - ROOM, 17 * MIB];

const repeated = (count, part) => Array.from({ length: count }, (_, at) => part(at)).join();
const smallTools = (count) => repeated(count, (at) => `{"name":"t${at}","inputSchema":{"type":"object"}}`);

/** Places of an unexpected value in a list of tools. */
const LIST = {
  'beside the tools': (text) => `{"tools":[],"x":${text}}`,
  'in a tool': (text) => `{"tools":[{"name":"t","inputSchema":{"type":"object","x":${text}}}]}`,
  'as the tools': (text) => `{"tools":${text}}`,
};

/** Places of an unexpected value in a result of a call. */
const RESULT = {
  'as structured content': (text) => `{"content":[],"structuredContent":{"x":${text}}}`,
  'as content': (text) => `{"content":${text}}`,
  'in a block': (text) => `{"content":[{"type":"text","text":"x","_meta":{"x":${text}}}]}`,
};

/** Lists of tools, from small to beyond the limits: `{ name, make }`. */
export function* generateHostileLists() {
  yield { name: '15 MB of empty objects', make: () => `{"x":[${repeated(5_000_000, () => '{}')}]}` };
  yield { name: '60,000 small tools', make: () => `{"tools":[${smallTools(60_000)}]}` };
  yield { name: '2,000 tools of 2 kB', make: () => `{"tools":[${createTools(2_000, 2_000)}]}` };
  yield { name: '15 tools of 250 kB', make: () => `{"tools":[${createTools(15, 250_000)}]}` };
  yield* placed(LIST);
}

/** Results of a tool call: `{ name, make }`. */
export function* generateHostileResults() {
  for (const count of [500, 20_000, 300_000])
    yield {
      name: `${count} items of content`,
      make: () => `{"content":[${repeated(count, () => '{"type":"text","text":"x"}')}]}`,
    };
  yield {
    name: '300,000 items without a type',
    make: () => `{"content":[${repeated(300_000, () => '{"text":"x"}')}]}`,
  };
  for (const megabytes of [4, 4.5, 16])
    yield {
      name: `text of ${megabytes} MB`,
      make: () => `{"content":[{"type":"text","text":"${'x'.repeat(megabytes * 1e6)}"}]}`,
    };
  yield* placed(RESULT);
}

/** The largest list that the gateway fetches every few seconds. */
export const refetchedList = () => `{"tools":[${createTools(1_900, 440)}]}`;

function createTools(count, bytes) {
  const description = 'x'.repeat(bytes);
  return repeated(
    count,
    (at) => `{"name":"t${at}","description":"${description}","inputSchema":{"type":"object","properties":{}}}`,
  );
}

function* placed(places) {
  for (const { name, make } of generateHostileTextsBySize(SIZES))
    for (const [place, put] of Object.entries(places)) yield { name: `${name}, ${place}`, make: () => put(make()) };
}

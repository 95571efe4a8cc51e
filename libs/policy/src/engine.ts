import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');

const require = createRequire(import.meta.url);
const PATH = require.resolve('@cedar-policy/cedar-wasm/nodejs');

type CommonJs = (exports: object, load: NodeJS.Require, module: object, path: string, folder: string) => void;

/**
 * A new instance of Cedar. The package makes one when it is loaded, and a module is loaded once: so
 * its code is run as Node runs a CommonJS module.
 */
function load(): Cedar {
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(readFileSync(PATH, 'utf8'), names, { filename: PATH }) as CommonJs;
  const module = { exports: {} };
  run(module.exports, require, module, PATH, dirname(PATH));
  return module.exports as Cedar;
}

/** Cedar broke down over one question; the next one finds a sound engine. */
export class EngineFailure extends GatehouseError {
  override readonly code = 'policy_engine_failed';
  constructor(cause: unknown) {
    super('the policy engine broke down over this question', { cause });
  }
}

const BREAKDOWNS = new Set<string | undefined>(['RuntimeError', 'RangeError']);

let engine = load();
let built = 1;

/** Which engine it is: what an earlier one was told is not known to this one. */
export const engineNumber = (): number => built;

/**
 * Asks Cedar. Its WebAssembly instance does not survive a panic or a stack that runs out: from then
 * on it fails whatever it is asked, for all connectors. So it is replaced at once, and only the
 * question that broke it fails.
 *
 * @throws EngineFailure
 */
export function ask<T>(question: (cedar: Cedar) => T): T {
  try {
    return question(engine);
  } catch (cause) {
    // By name: what WebAssembly throws need not be an Error of this realm.
    if (!BREAKDOWNS.has((cause as Partial<Error> | undefined)?.name)) throw cause;
    engine = load();
    built += 1;
    throw new EngineFailure(cause);
  }
}

import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { readEngineFiles } from './engine-files.ts';

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');

const require = createRequire(import.meta.url);

type CommonJs = (
  exports: object,
  load: (name: string) => unknown,
  module: object,
  path: string,
  folder: string,
) => void;

/**
 * Creates an instance of Cedar. The package creates one instance when it is loaded, and Node loads
 * a module once. Therefore this function runs the package's code as Node runs a CommonJS module.
 * The only file that the code reads is its WebAssembly.
 */
function loadEngine(): Cedar {
  const { code, wasm } = readEngineFiles();
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(code, names, { filename: 'cedar_wasm.js' }) as CommonJs;
  const load = (name: string): unknown => (name === 'fs' ? { readFileSync: () => wasm } : require(name));
  const module = { exports: {} };
  run(module.exports, load, module, 'cedar_wasm.js', '');
  return module.exports as Cedar;
}

/** Cedar crashed in one call. The next call uses a new instance. */
export class EngineError extends GatehouseError {
  override readonly code = 'policy_engine_failed';
  constructor(cause: unknown) {
    super('the policy engine crashed on this policy; simplify the policy', { cause });
  }
}

const CRASHES = new Set<string | undefined>(['RuntimeError', 'RangeError']);

let engine = loadEngine();
let generation = 1;

/** The number of the current instance. An instance has none of the policies of earlier ones. */
export const getEngineGeneration = (): number => generation;

/**
 * Calls Cedar. After a panic or a stack overflow, the WebAssembly instance fails at each further
 * call, for all connectors. Therefore this function replaces it at once, and only the call that
 * crashed it fails.
 *
 * @throws EngineError
 */
export function callEngine<T>(call: (cedar: Cedar) => T): T {
  try {
    return call(engine);
  } catch (cause) {
    // Compares names: an error of WebAssembly need not be an Error of this realm.
    if (!CRASHES.has((cause as Partial<Error> | undefined)?.name)) throw cause;
    engine = loadEngine();
    generation += 1;
    throw new EngineError(cause);
  }
}

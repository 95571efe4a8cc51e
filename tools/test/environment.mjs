import { TestEnvironment } from 'jest-environment-node';
import { readFileSync } from 'node:fs';
import { projectOf } from './project.mjs';

/**
 * The smallest time limit of a test or hook. A limit only bounds a hang, and on a busy machine a
 * step that starts processes takes many times as long as on a quiet one.
 */
const LEAST_LIMIT_MS = 180_000;

/** The environment of the test files of a project in this process, and the names of its globals. */
let shared;

function createShared(config, context) {
  const environment = new TestEnvironment(config, context);
  return { project: projectOf(context.testPath), environment, names: new Set(Reflect.ownKeys(environment.global)) };
}

/** Removes the globals of the previous test file and creates a new `process`. */
function resetGlobals(config, context) {
  const { environment, names } = shared;
  const { global, fakeTimers, fakeTimersModern } = environment;
  fakeTimers.useRealTimers();
  fakeTimersModern.useRealTimers();
  for (const name of Reflect.ownKeys(global)) if (!names.has(name)) Reflect.deleteProperty(global, name);
  global.process = new TestEnvironment(config, context).global.process;
}

/** Returns the environment of the packages of the current project, which is never torn down. */
export const packageEnvironment = () => shared.environment;

/** Loads a package. The globals that it defines stay for the next test files. */
export function keepGlobals(load) {
  const { environment, names } = shared;
  const before = new Set(Reflect.ownKeys(environment.global));
  try {
    return load();
  } finally {
    for (const name of Reflect.ownKeys(environment.global)) if (!before.has(name)) names.add(name);
  }
}

/**
 * The Node environment of jest with three changes.
 * - The test files of a project in a process share one realm, because they share packages
 *   (runtime.mjs). Each file starts with the globals of Node and a `process` of its own.
 * - After a failed `beforeAll`, the hooks of inner describe blocks do not run. Jest would run them,
 *   and each would wait for its time limit.
 * - No time limit is below `LEAST_LIMIT_MS`.
 * @public jest reads it by path
 */
export default class SharedRealmEnvironment {
  #failedBlocks = new Set();

  constructor(config, context) {
    if (shared?.project !== projectOf(context.testPath)) shared = createShared(config, context);
    resetGlobals(config, context);
    const { context: realm, global, moduleMocker, fakeTimers, fakeTimersModern } = shared.environment;
    Object.assign(this, { context: realm, global, moduleMocker, fakeTimers, fakeTimersModern });
    this.global.usesFastCheck = readFileSync(context.testPath, 'utf8').includes("'fast-check'");
  }

  async setup() {}

  async teardown() {
    this.context = null;
  }

  exportConditions() {
    return shared.environment.exportConditions();
  }

  getVmContext() {
    return this.context;
  }

  handleTestEvent(event, { testTimeout }) {
    const { name, describeBlock } = event;
    const limited = name === 'hook_start' ? event.hook : name === 'test_fn_start' ? event.test : undefined;
    if (limited !== undefined) limited.timeout = Math.max(limited.timeout ?? testTimeout, LEAST_LIMIT_MS);
    if (name === 'hook_failure' && event.hook.type === 'beforeAll') this.#failedBlocks.add(describeBlock);
    if (name === 'run_describe_start' && this.#failedBlocks.has(describeBlock.parent)) {
      this.#failedBlocks.add(describeBlock);
      describeBlock.hooks.length = 0;
    }
  }
}

import { TestEnvironment } from 'jest-environment-node';
import { readFileSync } from 'node:fs';

/**
 * Jest's environment of Node. A suite whose `beforeAll` fails ends: its tests fail with the error
 * of the hook, and the hooks of the describe blocks inside it do not run. Jest alone runs them, so
 * that each waits for its own time limit.
 * @public jest reads it by path
 */
export default class EndingEnvironment extends TestEnvironment {
  #failedBlocks = new Set();

  constructor(config, context) {
    super(config, context);
    this.global.usesFastCheck = readFileSync(context.testPath, 'utf8').includes("'fast-check'");
  }

  handleTestEvent(event) {
    const { name, describeBlock } = event;
    if (name === 'hook_failure' && event.hook.type === 'beforeAll') this.#failedBlocks.add(describeBlock);
    if (name === 'run_describe_start' && this.#failedBlocks.has(describeBlock.parent)) {
      this.#failedBlocks.add(describeBlock);
      describeBlock.hooks.length = 0;
    }
  }
}

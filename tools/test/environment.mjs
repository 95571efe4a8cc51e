import { TestEnvironment } from 'jest-environment-node';
import { readFileSync } from 'node:fs';

/**
 * The Node environment of jest with one change: after a failed `beforeAll`, the hooks of inner
 * describe blocks do not run. Jest would run them, and each would wait for its time limit.
 * @public jest reads it by path
 */
export default class FailFastEnvironment extends TestEnvironment {
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

import { Help, type Interfaces } from '@oclif/core';

/**
 * The help of the command line. oclif takes a command for a topic when its name ends the name of a
 * topic, as `up` ends `group`; only names that begin with the topic count here.
 * @public package.json names it
 */
export default class CommandLineHelp extends Help {
  protected override get sortedTopics(): Interfaces.Topic[] {
    const names = this.config.topics.map(({ name }) => name);
    return super.sortedTopics.filter(({ name }) => names.some((other) => other.startsWith(`${name}:`)));
  }
}

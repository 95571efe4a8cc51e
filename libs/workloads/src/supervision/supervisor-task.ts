/** The workload of a supervisor. It is in the arguments of the process, or in its first message. */
export interface SupervisorTask {
  /** Folder of the home. */
  readonly folder: string;
  /** See getHome. */
  readonly defaultFolder: string;
  readonly name: string;
  readonly foreground: boolean;
  /** Variables besides those of the process. They are never arguments, which all users can read. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * The answer of a command to `ready`. A command that was killed before sends none, so its workload
 * does not outlive a first start.
 */
export const ACKNOWLEDGEMENT = 'acknowledged';

/** Waits for the task of this process; undefined when its parent ends without giving one. */
export async function receiveTask(args: readonly string[]): Promise<SupervisorTask | undefined> {
  const [folder = '', defaultFolder = '', name] = args;
  if (name !== undefined) return { folder, defaultFolder, name, foreground: false, variables: {} };
  return new Promise((resolve) => {
    process.once('message', (task) => resolve(task as SupervisorTask));
    process.once('disconnect', () => resolve(undefined));
    if (!process.connected) resolve(undefined);
  });
}

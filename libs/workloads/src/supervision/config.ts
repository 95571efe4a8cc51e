/** The environment of a supervisor: that of this process. */
export const createSupervisorEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({ ...env });

/** Adds the variables of a supervisor with which it reads the secrets of its workload. */
export function addVariables(variables: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = process.env): void {
  Object.assign(env, variables);
}

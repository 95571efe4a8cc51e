/** The environment of a supervisor: that of this process, and variables for its secrets. */
export const createSupervisorEnvironment = (
  variables: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv => ({ ...env, ...variables });

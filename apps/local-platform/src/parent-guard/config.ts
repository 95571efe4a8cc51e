/** Returns the process id of the supervisor that started this process. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): number {
  return Number(env['GATEHOUSE_PLATFORM_PID']);
}

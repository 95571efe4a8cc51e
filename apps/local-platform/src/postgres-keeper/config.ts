import { homePaths, type HomePaths } from '../home.ts';

/** Settings of the Postgres keeper process. */
export interface KeeperConfig {
  paths: HomePaths;
  /** The process that must stay alive for this one to go on. */
  supervisorPid: number;
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): KeeperConfig {
  const home = env['GATEHOUSE_HOME'];
  const supervisorPid = Number(env['GATEHOUSE_PLATFORM_PID']);
  if (!home || !Number.isInteger(supervisorPid))
    throw new Error('GATEHOUSE_HOME and GATEHOUSE_PLATFORM_PID must be set');
  return { paths: homePaths(home), supervisorPid };
}
